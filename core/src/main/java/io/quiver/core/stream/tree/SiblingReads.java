package io.quiver.core.stream.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is read below the children of a directory, so that below the next child nothing is
 * read ahead that its siblings were not asked for (hierarchical prefetching; IGTCache, §3.3). What
 * is counted is a relative name below a subdirectory, or the number of a block of a file.
 */
final class SiblingReads {
  private static final int MOST_UNITS = 128;
  private static final int MOST_BLOCKS = 64;
  private static final int MOST_VISITS = 256;
  private static final int LEAST_VISITS = 8;
  private static final int MOST_NAME = 512;
  private static final int FEW_UNITS = 16;
  private static final double NEARLY_ALL = 0.8;

  /** After so many visits without recurring names only one name in eight is looked at. */
  private static final int SAMPLED_FROM = 32;

  private static final int SAMPLE = 7;

  private static final int OBJECT_BYTES = 1_400;
  private static final double MEMORY = 32;
  private static final double LEAST_RECURRING = 0.5;

  private final @Nullable Unit[] units = new @Nullable Unit[MOST_UNITS];
  private final int[] hashes = new int[MOST_UNITS];
  private final int[] blockVisits = new int[MOST_BLOCKS];
  private int size;
  private int victim;
  private int visits;
  private long reads;
  private int active = 1;
  private double recurring;
  private long heldBytes = OBJECT_BYTES;

  /** A relative name and a block of it. */
  static final class Unit {
    final String name;
    final int block;
    private int count;
    private int lastSlot;

    private Unit(String name, int block, int lastSlot) {
      this.name = name;
      this.block = block;
      this.lastSlot = lastSlot;
      this.count = 1;
    }
  }

  /**
   * Notes that a reader goes over to another child.
   *
   * @param blocks how many blocks the child has; 0 for a directory
   * @param readers how many readers there are: so many children are not read to the end yet
   */
  void visit(int blocks, int readers) {
    active = readers;
    visits++;
    for (int k = 0; k < Math.min(blocks, MOST_BLOCKS); k++) {
      blockVisits[k]++;
    }
    if (visits >= MOST_VISITS) {
      visits /= 2;
      reads /= 2;
      for (int k = 0; k < MOST_BLOCKS; k++) {
        blockVisits[k] /= 2;
      }
      for (int i = 0; i < size; i++) {
        unit(i).count /= 2;
      }
    }
  }

  private Unit unit(int i) {
    @Nullable Unit unit = units[i];
    if (unit == null) {
      throw new IllegalStateException("no unit " + i + " of " + size);
    }
    return unit;
  }

  /** Notes a read below the child in a slot; the relative name is the end of a path. */
  void read(String path, int from, int block, int slot) {
    reads++;
    int hash = hash(path, from, block);
    if (visits >= SAMPLED_FROM && !isTelling() && (hash & SAMPLE) != 0) {
      return;
    }
    @Nullable Unit unit = find(path, from, path.length(), block, hash);
    boolean again = unit != null && (unit.lastSlot != slot || unit.count > 1);
    recurring += ((again ? 1 : 0) - recurring) / MEMORY;
    if (unit == null) {
      if (path.length() - from <= MOST_NAME) {
        add(new Unit(path.substring(Math.min(from, path.length())), block, slot), hash);
      }
    } else if (unit.lastSlot != slot) {
      unit.lastSlot = slot;
      unit.count++;
    }
  }

  private static int hash(String path, int from, int block) {
    int hash = block * 0x9E3779B9;
    for (int i = from; i < path.length(); i++) {
      hash = 31 * hash + path.charAt(i);
    }
    return hash;
  }

  private @Nullable Unit find(String path, int from, int to, int block, int hash) {
    for (int i = 0; i < size; i++) {
      if (hashes[i] == hash && isAt(unit(i), path, from, to, block)) {
        return unit(i);
      }
    }
    return null;
  }

  private static boolean isAt(Unit unit, String path, int from, int to, int block) {
    return unit.block == block
        && unit.name.length() == Math.max(0, to - from)
        && path.startsWith(unit.name, Math.min(from, path.length()));
  }

  private void add(Unit unit, int hash) {
    if (size < MOST_UNITS) {
      hashes[size] = hash;
      units[size++] = unit;
      heldBytes += bytes(unit);
      return;
    }
    // Takes the place of one that recurs no more; each search makes some of them older.
    for (int tries = 0; tries < MEMORY; tries++) {
      victim = (victim + 1) % MOST_UNITS;
      Unit old = unit(victim);
      if (old.count <= 1) {
        heldBytes += bytes(unit) - bytes(old);
        hashes[victim] = hash;
        units[victim] = unit;
        return;
      }
    }
    unit(victim).count--;
  }

  private static long bytes(Unit unit) {
    final long headers = 76;
    return headers + unit.name.length();
  }

  /** Returns true if siblings are asked for the same again and again. */
  private boolean isTelling() {
    return visits >= LEAST_VISITS && recurring >= LEAST_RECURRING;
  }

  private boolean isHot(Unit unit, double hotShare) {
    boolean ofFile = unit.name.isEmpty() && unit.block < MOST_BLOCKS;
    int all = ofFile ? blockVisits[unit.block] : visits;
    return unit.count > hotShare * Math.max(1, all - active);
  }

  /** Returns true if so many hot units are few, and nearly all that is read below a child. */
  boolean areAll(int hot) {
    return hot <= FEW_UNITS && hot * visits >= NEARLY_ALL * reads;
  }

  /** Returns what is read below nearly every child. */
  List<Unit> hot(double hotShare) {
    if (!isTelling()) {
      return List.of();
    }
    List<Unit> hot = new ArrayList<>();
    Arrays.stream(units, 0, size)
        .forEach(unit -> {
          if (unit != null && isHot(unit, hotShare)) {
            hot.add(unit);
          }
        });
    return hot;
  }

  /** Returns false if siblings were not asked for a relative name and block. */
  boolean mayRead(String name, int block, double hotShare) {
    if (!isTelling()
        || (name.isEmpty() && (block >= MOST_BLOCKS || blockVisits[block] < LEAST_VISITS))) {
      return true;
    }
    @Nullable Unit unit = find(name, 0, name.length(), block, hash(name, 0, block));
    return unit != null && isHot(unit, hotShare);
  }

  long heldBytes() {
    return heldBytes;
  }
}
