package io.quiver.core.stream.tree;

import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Advises all blocks of a random stream of which nearly everything fits, so that they are in the
 * cache before programs ask for them (statistical prefetching; IGTCache, §3.3). Ends when the quota
 * is full.
 */
final class StreamFill {
  /** A block that the door had no room or time for is advised so many times at most. */
  private static final int MOST_TRIES = 60;

  private static final int MOST_REFUSED = 1024;
  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final String path;
  private long quotaBytes;
  private final FillWalk walk;
  private final Deque<Tried> advised = new ArrayDeque<>();
  private final Deque<Tried> refused = new ArrayDeque<>();
  private long bytes;
  private long notBefore = Long.MIN_VALUE;

  /** An advice, with how often the door has refused it. */
  private record Tried(PrefetchAdvice advice, int refusals) {}

  /** Begins a walk below a stream. */
  StreamFill(String path, FillWalk walk, long quotaBytes) {
    this.path = path;
    this.walk = walk;
    this.quotaBytes = quotaBytes;
  }

  /** Goes on to another quota; what was walked over is not walked over again. */
  void quota(long bytesAllowed) {
    quotaBytes = bytesAllowed;
  }

  /** Returns true once anything was advised. */
  boolean hasBegun() {
    return bytes > 0;
  }

  /** Returns true if an advice is for this stream. */
  boolean owns(PrefetchAdvice advice) {
    String of = advice.path();
    return of.startsWith(path)
        && (of.length() == path.length() || path.isEmpty() || of.charAt(path.length()) == '/');
  }

  /** Returns what is to be read next; null if there is nothing now. */
  @Nullable PrefetchAdvice next(long now) {
    if (now < notBefore) {
      return null;
    }
    @Nullable Tried next = refused.poll();
    if (next == null) {
      FillWalk.@Nullable Block block = bytes < quotaBytes ? walk.next() : null;
      if (block == null) {
        return null;
      }
      bytes += block.bytes();
      next = new Tried(new PrefetchAdvice(block.path(), block.number(), Purpose.FILL), 0);
    }
    advised.add(next);
    if (advised.size() > MOST_REFUSED) {
      advised.remove();
    }
    return next.advice;
  }

  /** Notes the end of an advice: what the door refused comes again a while later. */
  void ended(PrefetchAdvice advice, Outcome outcome, long now) {
    Tried tried =
        advised.stream().filter(each -> each.advice.equals(advice)).findFirst().orElse(null);
    if (tried == null) {
      return;
    }
    advised.remove(tried);
    if (outcome == Outcome.DROPPED) {
      notBefore = now + PAUSE_NANOS;
      if (tried.refusals < MOST_TRIES && refused.size() < MOST_REFUSED) {
        refused.add(new Tried(advice, tried.refusals + 1));
      }
    }
  }
}
