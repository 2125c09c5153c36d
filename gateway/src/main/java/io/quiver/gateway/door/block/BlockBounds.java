package io.quiver.gateway.door.block;

/**
 * Bounds on the blocks of a door.
 *
 * @param blockBytes the length of a block; doors share only blocks of equal length
 * @param memoryBytes most memory for blocks
 * @param aheadBytes most bytes that one handle reads ahead; 0 for none
 * @param storeReads most reads from the store at once
 */
public record BlockBounds(int blockBytes, long memoryBytes, long aheadBytes, int storeReads) {
  /** Blocks of 4 MiB, 1 GiB of memory, 32 MiB ahead, 64 reads. */
  public static final BlockBounds STANDARD = new BlockBounds(4 << 20, 1L << 30, 32L << 20, 64);

  /** The shortest block. */
  public static final int LEAST_BLOCK_BYTES = 4096;

  /** The longest block. */
  public static final int MOST_BLOCK_BYTES = 64 << 20;

  private static final int MOST_STORE_READS = 4096;

  /** Checks the bounds. */
  public BlockBounds {
    if (blockBytes < LEAST_BLOCK_BYTES || blockBytes > MOST_BLOCK_BYTES) {
      throw new IllegalArgumentException(
          "blocks of "
              + blockBytes
              + " bytes; use "
              + LEAST_BLOCK_BYTES
              + " to "
              + MOST_BLOCK_BYTES);
    }
    if (memoryBytes < 0 || aheadBytes < 0) {
      throw new IllegalArgumentException(
          memoryBytes
              + " bytes of memory and "
              + aheadBytes
              + " bytes ahead; neither may be negative");
    }
    if (storeReads < 1 || storeReads > MOST_STORE_READS) {
      throw new IllegalArgumentException(
          storeReads + " reads from the store at once; use 1 to " + MOST_STORE_READS);
    }
  }

  /** Returns a copy with another length of blocks. */
  public BlockBounds withBlockBytes(int value) {
    return new BlockBounds(value, memoryBytes, aheadBytes, storeReads);
  }

  /** Returns a copy with another bound on memory. */
  public BlockBounds withMemoryBytes(long value) {
    return new BlockBounds(blockBytes, value, aheadBytes, storeReads);
  }

  /** Returns a copy with another bound on reading ahead. */
  public BlockBounds withAheadBytes(long value) {
    return new BlockBounds(blockBytes, memoryBytes, value, storeReads);
  }

  /** Returns a copy with another bound on reads from the store. */
  public BlockBounds withStoreReads(int value) {
    return new BlockBounds(blockBytes, memoryBytes, aheadBytes, value);
  }
}
