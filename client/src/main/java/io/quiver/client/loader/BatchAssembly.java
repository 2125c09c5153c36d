package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import io.quiver.client.loader.Batch.ItemSource;
import io.quiver.client.loader.ItemReader.Fetched;
import io.quiver.core.engine.BatchRead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Puts a batch together while its items come in from the cache and the store, each at its own
 * place. Used by one thread.
 */
final class BatchAssembly implements BatchRead.Driver, AutoCloseable {
  private static final long LONGEST_READ_SECONDS = 600;

  private final ItemSpaces spaces;
  private final StoreFetcher fetcher;
  private final Tally tally;
  private final @Nullable ByteBuffer[] bytes;
  private final ItemSource[] sources;
  private final List<BlobAnswer> answers = new ArrayList<>();
  private final List<Reading> readings = new ArrayList<>();
  private @Nullable BlobAnswer latest;
  private boolean finished;

  /** An item that is being read from the store for its place. */
  private record Reading(int item, int place, CompletableFuture<Fetched> future) {}

  BatchAssembly(int size, ItemSpaces spaces, StoreFetcher fetcher, Tally tally) {
    this.spaces = spaces;
    this.fetcher = fetcher;
    this.tally = tally;
    this.bytes = new ByteBuffer[size];
    this.sources = new ItemSource[size];
  }

  /** Keeps an answer open as long as the batch, or closes it when nothing lies in it. */
  void keep(BlobAnswer answer) {
    latest = answer;
    if (answer.hits() > 0) {
      answers.add(answer);
    } else {
      answer.close();
    }
  }

  @Override
  public void hit(int place, int item, int index, boolean cooperative) {
    BlobAnswer answer = latest;
    if (answer == null) {
      throw new IllegalStateException("item " + item + " was found without an answer");
    }
    bytes[place] = answer.bytes(index);
    sources[place] = cooperative ? ItemSource.COOPERATIVE : ItemSource.CACHE;
    fetcher.forget(item);
  }

  @Override
  public boolean join(int place, int item) {
    CompletableFuture<Fetched> underWay = fetcher.find(item);
    if (underWay != null) {
      readings.add(new Reading(item, place, underWay));
    }
    return underWay != null;
  }

  @Override
  public void fetch(int place, int item, int space) {
    readings.add(new Reading(item, place, fetcher.demand(item, spaces.target(item, space), tally)));
  }

  @Override
  public boolean insertedSince(int item, long nanos) {
    return fetcher.insertedSince(item, nanos);
  }

  @Override
  public long patienceNanos(long now) {
    return fetcher.patienceNanos(now);
  }

  @Override
  public void waited(boolean delivered, long began, long now) {
    fetcher.waited(delivered, began, now);
  }

  /**
   * Waits for everything that is being read from the store.
   *
   * @throws LoadException if an item cannot be read
   */
  void await() {
    for (Reading reading : readings) {
      bytes[reading.place] = await(reading).bytes().duplicate();
      sources[reading.place] = ItemSource.STORE;
    }
  }

  private static Fetched await(Reading reading) {
    try {
      return reading.future.get(LONGEST_READ_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | CompletionException e) {
      if (e.getCause() instanceof LoadException failure) {
        throw failure;
      }
      throw new LoadException("item " + reading.item + " could not be read", e.getCause());
    } catch (TimeoutException e) {
      String what = " was not read from the store within " + LONGEST_READ_SECONDS + " s";
      throw new LoadException("item " + reading.item + what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadException("interrupted while reading item " + reading.item, e);
    }
  }

  ReadBatch finish(int epoch, BatchRead read, boolean ring, boolean probed) {
    ByteBuffer[] all = new ByteBuffer[bytes.length];
    for (int i = 0; i < all.length; i++) {
      ByteBuffer each = bytes[i];
      if (each == null) {
        throw new IllegalStateException(
            "place " + i + " of " + Arrays.toString(read.items()) + " is empty");
      }
      all[i] = each;
    }
    finished = true;
    ReadBatch batch =
        new ReadBatch(epoch, read.items(), all, sources, read.substituted(), List.copyOf(answers));
    batch.supplied(read.supplyMode(ring), probed);
    return batch;
  }

  /** Gives the memory back unless the batch has it. */
  @Override
  public void close() {
    if (!finished) {
      answers.forEach(BlobAnswer::close);
    }
  }
}
