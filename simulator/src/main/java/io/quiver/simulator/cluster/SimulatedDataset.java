package io.quiver.simulator.cluster;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.simulator.engine.SeededNumbers;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A data set: items of equal length, whose names are made up from the seed so that they spread over
 * servers as real ones do.
 */
public final class SimulatedDataset {
  private static final int LONGS = ContentHash.BYTES / Long.BYTES;

  private final int index;
  private final String name;
  private final int items;
  private final long itemBytes;
  private final boolean named;
  private final long seed;
  private final DatasetKey key;
  private final ByteBuffer scratch = ByteBuffer.allocate(ContentHash.BYTES);

  /**
   * The data set of this place in the scenario.
   *
   * @param named whether items are told apart; if not, only how many of each chunk is known
   */
  public SimulatedDataset(
      int index, String name, int items, long itemBytes, boolean named, long seed) {
    this.index = index;
    this.name = name;
    this.items = items;
    this.itemBytes = itemBytes;
    this.named = named;
    this.seed = SeededNumbers.derive(seed, "data set " + name);
    this.key = new DatasetKey(HexFormat.of().toHexDigits(this.seed));
  }

  /** Returns its place in the scenario. */
  public int index() {
    return index;
  }

  /** Returns its name in the scenario. */
  public String name() {
    return name;
  }

  /** Returns its name in plans. */
  public DatasetKey key() {
    return key;
  }

  /** Returns true if its items are told apart. */
  public boolean named() {
    return named;
  }

  /** Returns how many items it has. */
  public int items() {
    return items;
  }

  /** Returns how long each is. */
  public long itemBytes() {
    return itemBytes;
  }

  /** Returns how long all are together. */
  public long bytes() {
    return items * itemBytes;
  }

  /** Returns which slot an item is in. */
  int slot(int item) {
    return (int) (SeededNumbers.mix(seed + item) >>> 48);
  }

  /** Returns an item's name; the first bits are its slot. */
  ContentHash hash(int item) {
    long word = SeededNumbers.mix(seed + item);
    for (int i = 0; i < LONGS; i++) {
      scratch.putLong(i * Long.BYTES, word);
      word = SeededNumbers.mix(word + item);
    }
    return ContentHash.read(scratch, 0);
  }
}
