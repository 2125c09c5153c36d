package io.quiver.benchmarks.demo;

import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a demo.
 *
 * @param scenario the jobs and their resources
 * @param modes the modes, one run for each
 * @param data the data set
 * @param folder folder of the data set and of the caches
 * @param report file of the page
 * @param plot file of the main plot as a picture of its own; empty for none
 */
public record DemoOptions(
    DemoScenario scenario,
    List<DemoMode> modes,
    Data data,
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
  }

  /**
   * The data set of a demo.
   *
   * @param items items of the data set that is made
   * @param itemBytes mean bytes of its items
   * @param digest digest of the user's own data set instead; empty to make one
   * @param store store of the items of that digest; empty for the one it was made from
   */
  public record Data(int items, int itemBytes, Optional<Path> digest, String store) {
    /** Checks the sizes. */
    public Data {
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
}
