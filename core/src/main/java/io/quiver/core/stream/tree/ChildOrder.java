package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamWindow.Indexing;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the children of one directory: by their places in its listing once that is known as a
 * whole, until then by the numbers in their names or by their ranks among the names seen.
 *
 * <p>A read keeps its child's <i>slot</i>. A slot becomes an index when reads are analysed, because
 * ranks change with every new name.
 */
final class ChildOrder {
  private @Nullable NameList listing;
  private @Nullable SeenNames seen;

  /** Returns the listing; null unless all of it is known. */
  @Nullable NameList listing() {
    return listing != null && listing.isComplete() ? listing : null;
  }

  boolean isListed() {
    return listing() != null;
  }

  /**
   * Goes by a listing from now on.
   *
   * @param rings hold slots, which become places in the listing
   */
  void follow(@Nullable NameList learned, @Nullable ReadRing... rings) {
    if (learned == null || !learned.isComplete() || listing() == learned) {
      return;
    }
    boolean wasListed = isListed();
    listing = learned;
    @Nullable SeenNames names = seen;
    seen = null;
    for (@Nullable ReadRing ring : rings) {
      if (ring != null && (wasListed || names == null)) {
        ring.clear();
      } else if (ring != null && names != null) {
        translate(ring, names, learned);
      }
    }
  }

  private static void translate(ReadRing ring, SeenNames names, NameList listing) {
    for (int age = 0; age < ring.size(); age++) {
      String name = names.name(ring.slot(age));
      ring.renumber(age, place(listing, name, 0, name.length()));
    }
  }

  private static int place(NameList listing, String path, int from, int to) {
    int at = listing.find(path, from, to);
    return at >= 0 ? at : Math.min(-1 - at, Math.max(0, listing.size() - 1));
  }

  /** Returns true if slots of before mean nothing any more: their listing was forgotten. */
  boolean hasLostListing() {
    if (listing != null && !listing.isComplete()) {
      listing = null;
      return true;
    }
    return false;
  }

  /** Returns the slot of a child, whose name is a part of a path. */
  int slot(String path, int from, int to) {
    return slot(path, from, to, PathNames.hash(path, from, to));
  }

  /** Returns the slot of a child of whose name the hash is known. */
  int slot(String path, int from, int to, int nameHash) {
    @Nullable NameList list = listing();
    return list != null ? place(list, path, from, to) : seen().number(path, from, to, nameHash);
  }

  private SeenNames seen() {
    @Nullable SeenNames names = seen;
    if (names == null) {
      names = new SeenNames();
      seen = names;
    }
    return names;
  }

  /** Ranks what was seen since the last time, if ranks count. */
  void rank() {
    if (indexing() == Indexing.SEEN) {
      seen().rank();
    }
  }

  /** Returns the rule by which {@link #index} counts now. */
  Indexing indexing() {
    if (isListed()) {
      return Indexing.LISTED;
    }
    return seen().numbered().areDense(seen().size()) ? Indexing.NAMED : Indexing.SEEN;
  }

  /** Returns the index of the child in a slot under a rule. */
  int index(int slot, Indexing rule) {
    return switch (rule) {
      case LISTED -> slot;
      case NAMED -> Math.max(0, seen().inName(slot) - seen().numbered().least());
      case SEEN -> seen().rank(slot);
    };
  }

  /** Returns how many indexes there are under a rule. */
  int population(Indexing rule) {
    @Nullable NameList list = listing();
    if (list != null) {
      return list.size();
    }
    return rule == Indexing.NAMED
        ? (int) Math.min(Integer.MAX_VALUE, seen().numbered().span())
        : seen().size();
  }

  /** Returns how many children there are, or were seen. */
  int children() {
    @Nullable NameList list = listing();
    return list != null ? list.size() : seen == null ? 0 : seen.size();
  }

  /** Returns the place of a child among those whose names can be told; -1 if it has none. */
  int place(int slot) {
    if (isListed()) {
      return slot;
    }
    SeenNames names = seen();
    return names.numbered().areDense(names.size()) ? names.inName(slot) : -1;
  }

  /** Returns the place of a name; -1 if it has none. */
  int placeOf(String name) {
    @Nullable NameList list = listing();
    return list != null
        ? Math.max(-1, list.find(name, 0, name.length()))
        : seen().numbered().number(name);
  }

  /** Returns the name at a place; empty if there is none. */
  String nameAt(int place) {
    @Nullable NameList list = listing();
    if (list != null) {
      return place < list.size() ? list.name(place) : "";
    }
    return seen().numbered().name(place);
  }

  /** Forgets the half of the names that was seen first; returns false if there are few. */
  boolean forgetHalf() {
    return seen != null && seen.forgetHalf();
  }

  /** Forgets what was seen. */
  void forget() {
    seen = null;
  }

  /** Returns the bytes of names that were seen. */
  long heldBytes() {
    return seen == null ? 0 : seen.heldBytes();
  }
}
