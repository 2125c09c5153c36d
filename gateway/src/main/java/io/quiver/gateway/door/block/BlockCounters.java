package io.quiver.gateway.door.block;

import java.util.concurrent.atomic.LongAdder;

/** Counts what the reading of blocks did. */
public final class BlockCounters {
  /** Names what is counted. */
  public enum Of {
    /** Bytes given to readers from blocks that were in memory or on their way. */
    MEMORY_BYTES,
    /** Reads of a block that was in memory or on its way. */
    MEMORY_HITS,
    /** Bytes read from cache servers. */
    CACHE_BYTES,
    /** Blocks, and parts of blocks, read from cache servers. */
    CACHE_HITS,
    /** Bytes read from the store. */
    STORE_BYTES,
    /** Requests for bytes made to the store. */
    STORE_READS,
    /** Blocks that cache servers took. */
    INSERTED_BLOCKS,
    /** Bytes that cache servers took. */
    INSERTED_BYTES,
    /** Blocks read from the store that did not get into the cache. */
    NOT_INSERTED,
    /** Blocks that were waited for because another door read them. */
    SHARED_WAITS,
    /** Blocks read ahead. */
    AHEAD_BLOCKS,
    /** Reads that found no memory and went around it. */
    UNBUFFERED_READS,
    /** Reads from the store that failed. */
    STORE_FAILURES,
    /** Blocks whose first byte came from the store. */
    FIRST_BYTES,
    /** Time from the wish for such a block to its first byte. */
    FIRST_BYTE_NANOS
  }

  private final LongAdder[] counts = new LongAdder[Of.values().length];

  /** Starts at zero. */
  public BlockCounters() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Adds one. */
  void count(Of what) {
    add(what, 1);
  }

  /** Adds any number. */
  void add(Of what, long number) {
    counts[what.ordinal()].add(number);
  }

  /** Returns a count. */
  public long get(Of what) {
    return counts[what.ordinal()].sum();
  }
}
