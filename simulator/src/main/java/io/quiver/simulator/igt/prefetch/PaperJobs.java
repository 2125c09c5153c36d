package io.quiver.simulator.igt.prefetch;

import io.quiver.simulator.engine.SeededNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Jobs of the paper's Table 3 that read ahead can help. Numbers of files are those of the data
 * sets; their lengths, and what a program computes for a block, are estimates. Programs read one
 * block at a time.
 */
public final class PaperJobs {
  private static final long MICROS = 1000;
  private static final long MILLIS = 1000 * MICROS;

  /** Makes the preprocessing take as much longer as the paper's Figure 2a has it. */
  private static final long PREPROCESSING = 620 * MILLIS;

  /** Reads of rows per block: every block of the data set is read many times in an epoch. */
  private static final int ROWS = 20;

  private final double scale;
  private final long seed;

  /**
   * Makes jobs.
   *
   * @param scale part of the files that data sets have; 1 for all
   * @param seed decides the order of rows
   */
  public PaperJobs(double scale, long seed) {
    this.scale = scale;
    this.seed = seed;
  }

  private int scaled(int count) {
    return (int) Math.max(1, Math.round(scale * count));
  }

  /** FashionProduct: tests VGG16 with the images of one directory. */
  public ReadJob fashion() {
    return inOrder("2", files("fashion/images/%06d.jpg", 1, scaled(44_400), 338_000), 2 * MILLIS);
  }

  /** AirQuality: analyses tables one by one. */
  public ReadJob airQuality() {
    return inOrder("3", files("air/%06d.csv", 1, scaled(450), 6_700_000), 67 * MILLIS);
  }

  /** ICOADS: reads one table of each date (Figure 7). */
  public ReadJob marine() {
    final int tables = 10;
    final int table = 3;
    StoredFiles files = files("icoads/%06d/region_%02d.csv", scaled(2000), tables, 1_500_000);
    int[] read = IntStream.range(0, scaled(2000)).map(date -> date * tables + table).toArray();
    return new ReadJob("4", files, read, new int[read.length], 30 * MILLIS, 1, true);
  }

  /** BookCorpus: processes text. */
  public ReadJob books() {
    return inOrder("5", bookCorpus(16), PREPROCESSING);
  }

  /** BookCorpus in one file, as in Figure 2. */
  public ReadJob oneBook() {
    return inOrder("5", bookCorpus(1), PREPROCESSING);
  }

  /** Loads a checkpoint of half a gigabyte. */
  public ReadJob checkpoint() {
    return inOrder("6", files("opt/model%02d.bin", 1, 1, 512_000_000), 2 * MILLIS);
  }

  /** BookCorpus: trains for one epoch with rows in random order. */
  public ReadJob finetuning() {
    StoredFiles files = bookCorpus(16);
    List<int[]> blocks = blocks(files);
    SeededNumbers numbers = SeededNumbers.of(seed, "finetuning");
    int count = ROWS * blocks.size();
    int[] file = new int[count];
    int[] block = new int[count];
    for (int i = 0; i < count; i++) {
      int[] drawn = blocks.get(numbers.below(blocks.size()));
      file[i] = drawn[0];
      block[i] = drawn[1];
    }
    return new ReadJob("7", files, file, block, 350 * MILLIS, 1, true);
  }

  /** ImageNet's validation part: tests ResNet-50. */
  public ReadJob imageNet() {
    return inOrder("8", files("imagenet/val/n%06d/%04d.jpg", scaled(1000), 50, 134_000), MILLIS);
  }

  /** MITPlaces' validation part: tests AlexNet. */
  public ReadJob places() {
    return inOrder(
        "11", files("places/val/class%04d/%04d.jpg", scaled(365), 100, 13_300), 400 * MICROS);
  }

  /** Returns the jobs that the study of reading ahead compares. */
  public List<ReadJob> all() {
    return List.of(
        fashion(),
        airQuality(),
        marine(),
        books(),
        checkpoint(),
        finetuning(),
        imageNet(),
        places());
  }

  private StoredFiles bookCorpus(int files) {
    return files("books/train/data-%05d.arrow", 1, files, Math.round(scale * 4.6e9 / files));
  }

  /** Makes files in directories; a format with one number has one directory only. */
  private static StoredFiles files(String format, int directories, int inEach, long bytes) {
    SortedMap<String, Long> files = new TreeMap<>();
    for (int directory = 0; directory < directories; directory++) {
      for (int file = 0; file < inEach; file++) {
        String path =
            directories == 1
                ? String.format(Locale.ROOT, format.replaceAll("%06d/|%04d/", "0/"), file)
                : String.format(Locale.ROOT, format, directory, file);
        files.put(path, bytes);
      }
    }
    return new StoredFiles(files);
  }

  private static List<int[]> blocks(StoredFiles files) {
    List<int[]> blocks = new ArrayList<>();
    for (int file = 0; file < files.count(); file++) {
      for (int block = 0; block < files.blocks(file); block++) {
        blocks.add(new int[] {file, block});
      }
    }
    return blocks;
  }

  private static ReadJob inOrder(String name, StoredFiles files, long thinkNanos) {
    List<int[]> blocks = blocks(files);
    return new ReadJob(
        name,
        files,
        blocks.stream().mapToInt(each -> each[0]).toArray(),
        blocks.stream().mapToInt(each -> each[1]).toArray(),
        thinkNanos,
        1,
        true);
  }
}
