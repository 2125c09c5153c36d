package io.quiver.benchmarks.demo;

import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a demo.
 *
 * @param scenario what the jobs do
 * @param modes what stands between them and the store, one run for each
 * @param items items of the made-up data set
 * @param itemBytes their length on average
 * @param digest the user's own data set instead; empty for the made-up one
 * @param store where the items of that one lie; empty for where its digest was made
 * @param folder where the data set and the caches are laid
 * @param report where the page goes
 * @param plot where one plot goes as a picture of its own; empty for nowhere
 */
public record DemoOptions(
    DemoScenario scenario,
    List<DemoMode> modes,
    int items,
    int itemBytes,
    Optional<Path> digest,
    String store,
    Path folder,
    Path report,
    Optional<Path> plot) {
  /** Most items: the demo counts reads of each and keeps their places in memory. */
  public static final int MAX_ITEMS = 2_000_000;

  /** Most bytes of the made-up data set. */
  public static final long MAX_BYTES = 50_000_000_000L;

  /** Checks what the scenario does not. */
  public DemoOptions {
    modes = List.copyOf(modes);
    if (modes.isEmpty() || modes.stream().distinct().count() != modes.size()) {
      throw new IllegalArgumentException(
          "--modes " + modes + " names no mode or one twice; use for example none,lru,quiver");
    }
    if (items < 1 || items > MAX_ITEMS) {
      throw new IllegalArgumentException(
          "--items " + items + " makes no sense; use 1 to " + MAX_ITEMS);
    }
    if (itemBytes < 1 || (long) items * itemBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "--item-bytes "
              + itemBytes
              + " with "
              + items
              + " items makes no sense; use at least 1 and at most "
              + MAX_BYTES
              + " bytes in all");
    }
  }
}
