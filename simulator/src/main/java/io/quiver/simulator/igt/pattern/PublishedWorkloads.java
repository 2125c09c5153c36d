package io.quiver.simulator.igt.pattern;

import io.quiver.simulator.igt.pattern.ZipfReads.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The four random and four skewed workloads of IGTCache's Table 3 on which Figures 14 and 15
 * measure recognition, as the stream of their data set has them.
 *
 * <p>The paper does not say which they are, nor how popularity is distributed: these are the jobs
 * of different data sets, and each draw of a skewed one has an exponent between 0.8 and 1.2.
 * Popular items are scattered or adjacent; the paper does not say this either, and its test needs
 * the latter.
 */
final class PublishedWorkloads {
  private static final int BOOKCORPUS_BLOCKS = 1_150;
  private static final int IMAGENET_IMAGES = 1_281_167;
  private static final int IMAGENET_DIRECTORIES = 1_000;
  private static final int PLACES_IMAGES = 1_803_460;
  private static final int PLACES_DIRECTORIES = 365;
  private static final int COCO_IMAGES = 118_287;
  private static final int LAKE_TABLES = 20_000;
  private static final int WIKIPEDIA_FILES = 253;
  private static final double LEAST_EXPONENT = 0.8;
  private static final double MOST_EXPONENT = 1.2;

  private PublishedWorkloads() {}

  /** Returns all of them. */
  static List<KnownReads> all() {
    List<KnownReads> all = new ArrayList<>();
    // Rows of a block are read at any time: blocks come again within an epoch.
    all.add(
        KnownReads.random(
            "job-7", BOOKCORPUS_BLOCKS, random -> new ZipfReads(BOOKCORPUS_BLOCKS, random)));
    all.add(training("job-9", IMAGENET_IMAGES, IMAGENET_DIRECTORIES));
    all.add(training("job-12", PLACES_IMAGES, PLACES_DIRECTORIES));
    all.add(training("job-18", COCO_IMAGES, COCO_IMAGES));
    Map<String, Integer> queried =
        new TreeMap<>(
            Map.of(
                "job-14", LAKE_TABLES,
                "job-15", LAKE_TABLES,
                "job-16", WIKIPEDIA_FILES,
                "job-17", WIKIPEDIA_FILES));
    for (Layout layout : Layout.values()) {
      queried.forEach((job, items) -> all.add(queries(job, items, layout)));
    }
    return all;
  }

  /** Returns an epoch's reads of images, of which a stream sees the directories. */
  private static KnownReads training(String job, int images, int directories) {
    int each = (images + directories - 1) / directories;
    return KnownReads.random(
        job,
        directories,
        random -> {
          ReadSource epoch = new EpochReads(images, random);
          return () -> new ReadSource.Read(epoch.next().item() / each, 0);
        });
  }

  private static KnownReads queries(String job, int items, Layout layout) {
    return KnownReads.skewed(
        job + "-" + layout.name().toLowerCase(Locale.ROOT),
        items,
        random ->
            new ZipfReads(items, random.nextDouble(LEAST_EXPONENT, MOST_EXPONENT), layout, random));
  }
}
