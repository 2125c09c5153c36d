package io.quiver.store.ssd;

import java.util.concurrent.atomic.LongAdder;

/** What a store counts since its start. */
final class Counters {
  /** Blobs served from memory. */
  final LongAdder warmReads = new LongAdder();

  /** Blobs that came from disk. */
  final LongAdder coldReads = new LongAdder();

  /** Blobs found damaged and dropped. */
  final LongAdder corruptBlobs = new LongAdder();

  /** Operations a disk refused. */
  final LongAdder failures = new LongAdder();
}
