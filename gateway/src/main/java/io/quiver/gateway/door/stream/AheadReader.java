package io.quiver.gateway.door.stream;

import io.quiver.core.stream.FillPace;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.gateway.door.block.BlockReader;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Reads ahead what recognition advises. A block whose object's version is known is begun at once;
 * of other objects the store is asked for the version first, because only a version has a name that
 * other doors can see claimed. Everything under way is bounded; advice beyond that is dropped,
 * because by then its reader has gone on.
 */
public final class AheadReader implements StreamObserver.AdviceTaker {
  /**
   * Most blocks that are brought into the cache at once for no reader; fewer while the store is
   * busy.
   */
  public static final int MOST_FILLS = 32;

  /** Most objects whose versions are asked for at once. */
  public static final int MOST_QUESTIONS = 32;

  private final BlockReader blocks;
  private final Objects objects;
  private final AdviceEnds ends;
  // Guarded by itself.
  private final FillPace pace = new FillPace(MOST_FILLS);
  private final Semaphore questions = new Semaphore(MOST_QUESTIONS);

  /** The objects of the door's store. */
  public interface Objects {
    /** Returns the version of an object if it is known and fresh. Does not block. */
    Optional<RemoteObject> known(String path);

    /** Returns true if an object's first block is on its way because a program opens it now. */
    boolean isBeingOpened(String path);

    /** Asks the store for the version of an object. */
    RemoteObject ask(String path) throws IOException;

    /** Cuts a version into blocks. */
    ObjectBlocks cut(RemoteObject object);
  }

  /**
   * Makes a reader.
   *
   * @param ends hears of the end of advice that was begun
   */
  public AheadReader(BlockReader blocks, Objects objects, AdviceEnds ends) {
    this.blocks = blocks;
    this.objects = objects;
    this.ends = ends;
  }

  @Override
  public int fillRoom() {
    synchronized (pace) {
      return pace.room();
    }
  }

  @Override
  public Outcome take(PrefetchAdvice advice) {
    if (advice.purpose() == Purpose.FILL && fillRoom() == 0) {
      return Outcome.DROPPED;
    }
    Optional<RemoteObject> object = objects.known(advice.path());
    return object.isPresent() ? take(advice, object.get()) : ask(advice);
  }

  private Outcome take(PrefetchAdvice advice, RemoteObject object) {
    ObjectBlocks file = objects.cut(object);
    if (!file.shared() || advice.block() >= file.count()) {
      return Outcome.FAILED;
    }
    return switch (advice.purpose()) {
      case AHEAD -> outcome(ahead(file, advice));
      case FILL -> fill(file, advice.block());
    };
  }

  private BlockReader.Ahead ahead(ObjectBlocks file, PrefetchAdvice advice) {
    return blocks.ahead(
        file,
        advice.block(),
        () -> advice.block() == 0 && objects.isBeingOpened(advice.path()),
        () -> ends.failed(advice));
  }

  private Outcome fill(ObjectBlocks file, int block) {
    synchronized (pace) {
      if (pace.room() == 0) {
        return Outcome.DROPPED;
      }
      pace.begun();
    }
    BlockReader.Ahead begun = BlockReader.Ahead.NO_ROOM;
    try {
      long began = blocks.now();
      begun = blocks.fill(file, block, asked -> filled(asked, began));
    } finally {
      if (begun != BlockReader.Ahead.BEGUN) {
        settle(false, 0);
      }
    }
    return outcome(begun);
  }

  private void filled(boolean storeAsked, long began) {
    settle(storeAsked, began);
    ends.filled();
  }

  private void settle(boolean storeAsked, long began) {
    synchronized (pace) {
      if (storeAsked) {
        long now = blocks.now();
        pace.ended(now - began, now);
      } else {
        pace.unneeded();
      }
    }
  }

  private static Outcome outcome(BlockReader.Ahead ahead) {
    return switch (ahead) {
      case BEGUN -> Outcome.FETCHED;
      case HELD -> Outcome.HELD;
      case NO_ROOM -> Outcome.DROPPED;
    };
  }

  /** Asks for an object's version in the background, and reads the block right after. */
  private Outcome ask(PrefetchAdvice advice) {
    if (!questions.tryAcquire()) {
      return Outcome.DROPPED;
    }
    Thread.ofVirtual()
        .name("quiver-door-ask-ahead")
        .start(() -> {
          try {
            if (take(advice, objects.ask(advice.path())) == Outcome.FAILED) {
              ends.failed(advice);
            }
          } catch (IOException | RuntimeException e) {
            ends.failed(advice);
          } finally {
            questions.release();
          }
        });
    return Outcome.FETCHED;
  }
}
