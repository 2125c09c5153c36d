package io.quiver.simulator.experiment;

import java.util.List;

/**
 * A model and its data set, as Quiver's evaluation ran them (FAST '20, §7.1): seven jobs on four
 * GPUs each. The megabytes and the time of a mini-batch are fitted: 7000 of them take the paper's
 * "cache miss" time at 172 MB/s from the store, and its "cache hit" time when nothing is waited
 * for. Nothing else is taken from the paper's results.
 *
 * @param name the model
 * @param dataset the data set
 * @param datasetBytes how long that is
 * @param batchBytes how many bytes a mini-batch has
 * @param computeMillis how long four GPUs work on it
 * @param paper the paper's results
 */
public record Workload(
    String name,
    String dataset,
    long datasetBytes,
    long batchBytes,
    double computeMillis,
    Paper paper) {
  /** The bandwidth of the store for each machine. */
  public static final double STORE_BYTES_PER_SECOND = 172e6;

  private static final long PAPER_CHUNK_BYTES = 15_000_000_000L;

  /** ResNet50 on ImageNet. */
  public static final Workload RESNET =
      new Workload(
          "ResNet50", "imagenet", 154_000_000_000L, 61_600_000, 92, new Paper(2505, 646, 1064));

  /** Inception v3 on OpenImages. */
  public static final Workload INCEPTION =
      new Workload(
          "Inception",
          "openimages",
          531_000_000_000L,
          70_600_000,
          182,
          new Paper(2874, 1274, 1817));

  /** DeepSpeech2 on LibriSpeech. */
  public static final Workload DEEP_SPEECH =
      new Workload(
          "DeepSpeech2",
          "librispeech",
          90_000_000_000L,
          39_700_000,
          176,
          new Paper(1614, 1234, 1265));

  /** All three. */
  public static final List<Workload> ALL = List.of(RESNET, INCEPTION, DEEP_SPEECH);

  /**
   * The figures of the paper's Table 3.
   *
   * @param missSeconds 7000 mini-batches when all is read from the store
   * @param hitSeconds when all is in the cache
   * @param coopSeconds with a cold cache and co-operative misses
   */
  public record Paper(double missSeconds, double hitSeconds, double coopSeconds) {}

  /** Returns the items of the data set if a mini-batch has this many. */
  public int items(int batchItems) {
    return Math.toIntExact(datasetBytes / itemBytes(batchItems));
  }

  /** Returns the length of an item if a mini-batch has this many. */
  public long itemBytes(int batchItems) {
    return Math.round((double) batchBytes / batchItems);
  }

  /** Into how many chunks the paper divides the data set: of 15 GB, or a tenth if that is less. */
  int paperChunks() {
    return (int) Math.max(10, Math.ceilDiv(datasetBytes, PAPER_CHUNK_BYTES));
  }

  /** Returns a copy with a share of the data set, for runs that are to be short. */
  Workload shortened(double share) {
    long bytes = Math.round(share * datasetBytes);
    return new Workload(name, dataset, bytes, batchBytes, computeMillis, paper);
  }

  /**
   * Returns a copy of the model that reads another's data set, in mini-batches of the other's
   * length.
   */
  Workload onDatasetOf(Workload other) {
    return new Workload(
        name, other.dataset, other.datasetBytes, other.batchBytes, computeMillis, paper);
  }
}
