package io.quiver.gateway.door.stream;

import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.gateway.door.block.BlockReader;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Reads ahead what recognition advises. A block whose object's version is known is begun at once;
 * of others the first block is asked for together with the details, in the background. What is
 * under way is bounded; advice beyond that is dropped, because by then its reader has gone on.
 */
public final class AheadReader implements StreamObserver.AdviceTaker {
  private static final int MOST_FILLS = 4;
  private static final int MOST_OPENINGS = 64;

  private final BlockReader blocks;
  private final Function<String, Optional<RemoteObject>> known;
  private final Function<RemoteObject, ObjectBlocks> cut;
  private final Opening opening;
  private final Failures failures;
  private final Semaphore fills = new Semaphore(MOST_FILLS);
  private final Semaphore openings = new Semaphore(MOST_OPENINGS);

  /** Asks the store for an object's details and brings its first block. */
  @FunctionalInterface
  public interface Opening {
    /** Returns the version; its first block is then on its way. */
    RemoteObject open(String path) throws IOException;
  }

  /** Hears of advice that failed. */
  @FunctionalInterface
  public interface Failures {
    /** Hears that the store has no such object, or that asking it failed. */
    void failed(PrefetchAdvice advice);
  }

  /**
   * Makes a reader.
   *
   * @param known returns the version of an object if it is known and fresh
   * @param cut cuts a version into blocks
   * @param opening is used where the version is not known
   * @param failures hears of advice that failed after it was begun
   */
  public AheadReader(
      BlockReader blocks,
      Function<String, Optional<RemoteObject>> known,
      Function<RemoteObject, ObjectBlocks> cut,
      Opening opening,
      Failures failures) {
    this.blocks = blocks;
    this.known = known;
    this.cut = cut;
    this.opening = opening;
    this.failures = failures;
  }

  @Override
  public Outcome take(PrefetchAdvice advice) {
    Optional<RemoteObject> object = known.apply(advice.path());
    if (object.isPresent()) {
      return take(advice, object.get());
    }
    return advice.purpose() == Purpose.FILL ? Outcome.DROPPED : open(advice);
  }

  private Outcome take(PrefetchAdvice advice, RemoteObject object) {
    ObjectBlocks file = cut.apply(object);
    if (object.version().isEmpty() || advice.block() >= file.count()) {
      return Outcome.FAILED;
    }
    return switch (advice.purpose()) {
      case AHEAD -> outcome(blocks.ahead(file, advice.block()));
      case FILL -> fill(file, advice.block());
    };
  }

  private Outcome fill(ObjectBlocks file, int block) {
    if (!fills.tryAcquire()) {
      return Outcome.DROPPED;
    }
    BlockReader.Ahead begun = blocks.fill(file, block, fills::release);
    if (begun != BlockReader.Ahead.BEGUN) {
      fills.release();
    }
    return outcome(begun);
  }

  private static Outcome outcome(BlockReader.Ahead ahead) {
    return switch (ahead) {
      case BEGUN -> Outcome.FETCHED;
      case HELD -> Outcome.HELD;
      case NO_ROOM -> Outcome.DROPPED;
    };
  }

  /** Opens an object in the background; a block behind its first one is read right after. */
  private Outcome open(PrefetchAdvice advice) {
    if (!openings.tryAcquire()) {
      return Outcome.DROPPED;
    }
    Thread.ofVirtual()
        .name("quiver-door-open-ahead")
        .start(() -> {
          try {
            RemoteObject object = opening.open(advice.path());
            if (advice.block() > 0) {
              take(advice, object);
            }
          } catch (IOException | RuntimeException e) {
            failures.failed(advice);
          } finally {
            openings.release();
          }
        });
    return Outcome.FETCHED;
  }
}
