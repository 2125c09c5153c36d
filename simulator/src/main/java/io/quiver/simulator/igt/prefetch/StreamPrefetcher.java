package io.quiver.simulator.igt.prefetch;

import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.core.stream.tree.AccessStreams;
import java.util.List;

/**
 * Reads ahead as a door does: by the streams that it recognises, and within a file that is read
 * forward by a window that doubles. Every random stream has the whole cache as its quota.
 */
final class StreamPrefetcher implements Prefetcher {
  private static final int MOST_ADVICES = 32;
  private static final int MOST_SUMMARIES = 64;
  private static final long HEARTBEAT_NANOS = 1_000_000_000;

  /** Blocks that a door reads ahead of one handle. */
  static final int HANDLE_BLOCKS = 8;

  private final StoredFiles files;
  private final long cacheBytes;
  private final AccessStreams streams;
  private final Prefetcher handles = BlockPrefetchers.doubling(HANDLE_BLOCKS);
  private long nextHeartbeat = HEARTBEAT_NANOS;

  /**
   * Begins with nothing seen.
   *
   * @param lists true if the program lists all directories, so that the door learns them
   */
  StreamPrefetcher(StoredFiles files, boolean lists, long cacheBytes) {
    this.files = files;
    this.cacheBytes = cacheBytes;
    this.streams =
        new AccessStreams(StreamRules.STANDARD, path -> String.format("%016x", path.hashCode()));
    if (lists) {
      files.listings().forEach(streams::listed);
    }
  }

  @Override
  public void asked(Asked read, Fetcher fetcher) {
    handles.asked(read, fetcher);
  }

  @Override
  public void read(Asked read, boolean waited, long tookNanos, Fetcher fetcher) {
    streams.read(
        new BlockAccess(
            files.path(read.file()),
            read.block(),
            files.blocks(read.file()),
            files.bytes(read.file(), read.block()),
            read.reader(),
            fetcher.now(),
            waited,
            tookNanos));
    follow(fetcher);
  }

  @Override
  public void tick(Fetcher fetcher) {
    if (fetcher.now() >= nextHeartbeat) {
      nextHeartbeat = fetcher.now() + HEARTBEAT_NANOS;
      List<StreamSummary> summaries = streams.summaries(MOST_SUMMARIES, fetcher.now());
      streams.follow(
          summaries.stream()
              .filter(stream -> stream.recognition().pattern() == AccessPattern.RANDOM)
              .map(this::verdict)
              .toList());
    }
    follow(fetcher);
  }

  private StreamVerdict verdict(StreamSummary stream) {
    return new StreamVerdict(
        stream.key(), AccessPattern.RANDOM, StreamSpaceName.of(stream.key()), cacheBytes);
  }

  /** Does what is advised, as a door does it. */
  private void follow(Fetcher fetcher) {
    int room = fetcher.fillRoom();
    for (PrefetchAdvice advice : streams.advise(MOST_ADVICES, room, fetcher.now())) {
      streams.ended(advice, take(advice, fetcher));
    }
  }

  private Outcome take(PrefetchAdvice advice, Fetcher fetcher) {
    int file = files.find(advice.path());
    if (file < 0 || advice.block() >= files.blocks(file)) {
      return Outcome.FAILED;
    }
    return advice.purpose() == Purpose.FILL
        ? fetcher.fill(file, advice.block())
        : fetcher.ahead(file, advice.block());
  }

  @Override
  public boolean ticks() {
    return true;
  }
}
