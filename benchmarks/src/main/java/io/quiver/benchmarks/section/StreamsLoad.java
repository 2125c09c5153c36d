package io.quiver.benchmarks.section;

import io.quiver.core.stream.BlockAccess;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The reads of several programs at once through one door: training on class directories, a scan by
 * parallel workers, queries on large files, a slice through dated directories, and strays that keep
 * the tree full.
 */
final class StreamsLoad {
  private static final int BLOCK = 4 << 20;
  private static final int FILE = 110_000;
  private static final int CLASSES = 1000;
  private static final int CLASS_FILES = 1300;
  private static final int TABLES = 250;
  private static final int TABLE_BLOCKS = 110;
  private static final int WORKERS = 16;
  private static final int STRAY_TREES = 97;
  private static final int STRAY_PARTS = 99;
  private static final int NEW_PART = 4;
  private static final int PROGRAMS = 8;

  private final SplittableRandom random;
  private final int[] parts = new int[STRAY_TREES];
  private int scanned;
  private int dates;

  StreamsLoad(SplittableRandom random) {
    this.random = random;
  }

  /** Returns the next read. */
  BlockAccess next(long nanos) {
    return switch (random.nextInt(PROGRAMS)) {
      case 0, 1 -> training(nanos);
      case 2, 3 -> scan(nanos);
      case 4 -> query(nanos);
      case 5 -> slice(nanos);
      default -> stray(nanos);
    };
  }

  private BlockAccess training(long nanos) {
    int item = random.nextInt(CLASSES * CLASS_FILES);
    String path = path("net/train/n%08d/image_%06d.JPEG", item / CLASS_FILES, item);
    return file(path, 1, nanos);
  }

  private BlockAccess scan(long nanos) {
    int item = scanned++;
    return file(path("audio/set/%07d.wav", item, 0), 2 + item % WORKERS, nanos);
  }

  private BlockAccess query(long nanos) {
    double popular = Math.pow(random.nextDouble(), 3);
    int item = (int) (popular * TABLES * TABLE_BLOCKS);
    String path = path("wiki/part-%05d.parquet", item % TABLES, 0);
    return new BlockAccess(
        path, item / TABLES, TABLE_BLOCKS, BLOCK, 20 + item % 4, nanos, true, 1_000_000);
  }

  private BlockAccess slice(long nanos) {
    return file(path("icoads/%07d/10_100_00_110.csv", dates++, 0), 30, nanos);
  }

  private BlockAccess stray(long nanos) {
    int tree = random.nextInt(STRAY_TREES);
    int part = random.nextInt(NEW_PART) == 0 ? parts[tree]++ : latest(parts[tree]);
    return file(path("users/u%03d/runs/%06d/log.txt", tree, part), 40 + tree, nanos);
  }

  private int latest(int parts) {
    return Math.max(0, parts - 1 - random.nextInt(STRAY_PARTS));
  }

  private static BlockAccess file(String path, int reader, long nanos) {
    return new BlockAccess(path, 0, 1, FILE, reader, nanos, true, 1_000_000);
  }

  private static String path(String form, int first, int second) {
    return String.format(Locale.ROOT, form, first, second);
  }
}
