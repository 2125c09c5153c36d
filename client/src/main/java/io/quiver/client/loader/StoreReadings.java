package io.quiver.client.loader;

import io.quiver.core.space.SpaceId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The items of one batch that are being read from the store, each for its place. */
final class StoreReadings {
  private static final long LONGEST_READ_SECONDS = 600;

  private final Fetches fetches;
  private final Tally tally;
  private final List<Reading> readings = new ArrayList<>();

  private record Reading(int item, int place, CompletableFuture<Fetched> future) {}

  StoreReadings(Fetches fetches, Tally tally) {
    this.fetches = fetches;
    this.tally = tally;
  }

  /**
   * Has an item read.
   *
   * @param space where to insert it afterwards; null for nowhere
   */
  void fetch(int item, int place, @Nullable SpaceId space) {
    readings.add(new Reading(item, place, fetches.demand(item, space, tally)));
  }

  /** Waits with others for an item that this process is reading anyway; says whether it is. */
  boolean join(int item, int place) {
    CompletableFuture<Fetched> underWay = fetches.find(item);
    if (underWay != null) {
      readings.add(new Reading(item, place, underWay));
    }
    return underWay != null;
  }

  /** An item came from elsewhere. */
  void notNeeded(int item) {
    fetches.forget(item);
  }

  /**
   * Waits for all of them.
   *
   * @throws LoadException if one cannot be read
   */
  void await(Assembly assembly) {
    for (Reading reading : readings) {
      Fetched fetched = await(reading);
      assembly.put(reading.place, reading.item, fetched.bytes().duplicate(), ItemSource.STORE);
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
      throw new LoadException(
          "item "
              + reading.item
              + " was not read from the store within "
              + LONGEST_READ_SECONDS
              + " s",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadException("interrupted while reading item " + reading.item, e);
    }
  }
}
