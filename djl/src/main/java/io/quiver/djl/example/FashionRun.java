package io.quiver.djl.example;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import io.quiver.client.loader.LoaderConfig.DeliveryListener;
import io.quiver.djl.QuiverDataset;
import io.quiver.djl.TensorDecoder;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One training run.
 *
 * @param train what to train on
 * @param test what to test with
 * @param cache the address of the cache
 * @param epochs how many epochs
 * @param batch samples in a batch
 * @param seed of the order and of the weights to begin with
 */
record FashionRun(ImageStore train, Images test, URI cache, int epochs, int batch, long seed) {
  // Of the pixels of all training pictures.
  private static final float MEAN = 72.94f;
  private static final float DEVIATION = 90.02f;
  private static final float HIGHEST_RATE = 3e-3f;
  private static final int TEST_BATCH = 500;

  /**
   * The result of a run.
   *
   * @param epochs epoch by epoch
   * @param exactlyOnce whether every item came once in each
   */
  record Outcome(List<FashionEpoch> epochs, boolean exactlyOnce) {}

  /**
   * Trains and tests.
   *
   * @param ended told of each epoch
   */
  Outcome train(int items, Consumer<FashionEpoch> ended) throws IOException, TranslateException {
    Coverage coverage = new Coverage(items);
    Engine.getInstance().setRandomSeed((int) seed);
    try (QuiverDataset dataset = dataset(coverage);
        Model model = Model.newInstance("fashion");
        NDManager manager = NDManager.newBaseManager()) {
      model.setBlock(Network.make());
      EpochWatch watch = new EpochWatch(dataset, System::nanoTime, ended);
      try (Trainer trainer = model.newTrainer(config(items, watch))) {
        trainer.setMetrics(new Metrics());
        trainer.initialize(new Shape(1, 1, Images.SIDE, Images.SIDE));
        EasyTrain.fit(trainer, epochs, dataset, tests(manager));
      }
      return new Outcome(watch.results(), coverage.exactlyOnce(epochs));
    }
  }

  private QuiverDataset dataset(Coverage coverage) throws IOException {
    return QuiverDataset.builder()
        .setDigest(train.digest())
        .setBatchDecoder(decoder())
        .optCache(cache)
        .optBatchSize(batch)
        .optEpochs(epochs)
        .optSeed(seed)
        .optLoader(config -> config.withListener(coverage))
        .build();
  }

  private static TensorDecoder decoder() {
    return new TensorDecoder(new Shape(1, Images.SIDE, Images.SIDE), DataType.UINT8)
        .scaled(MEAN, DEVIATION);
  }

  private DefaultTrainingConfig config(int items, EpochWatch watch) {
    Tracker rate =
        Tracker.cosine()
            .setBaseValue(HIGHEST_RATE)
            .optFinalValue(HIGHEST_RATE / 100)
            .setMaxUpdates(Math.max(1, epochs * ((items + batch - 1) / batch)))
            .build();
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optOptimizer(Optimizer.adam().optLearningRateTracker(rate).build())
        .addEvaluator(new Accuracy())
        .addTrainingListeners(new EpochTrainingListener(), new EvaluatorTrainingListener(), watch);
  }

  private Dataset tests(NDManager manager) {
    NDArray pictures =
        manager
            .create(
                ByteBuffer.wrap(test.pixels()),
                new Shape(test.count(), 1, Images.SIDE, Images.SIDE),
                DataType.UINT8)
            .toType(DataType.FLOAT32, true)
            .subi(MEAN)
            .divi(DEVIATION);
    NDArray labels =
        manager.create(IntStream.range(0, test.count()).mapToLong(i -> test.labels()[i]).toArray());
    return new ArrayDataset.Builder()
        .setData(pictures)
        .optLabels(labels)
        .setSampling(TEST_BATCH, false)
        .build();
  }

  /** Counts how often each item came in each epoch: the proof that it was once. */
  static final class Coverage implements DeliveryListener {
    private final int items;
    private final Map<Integer, int[]> epochs = new HashMap<>();

    Coverage(int items) {
      this.items = items;
    }

    @Override
    public synchronized void delivered(int epoch, int rank, int[] batch) {
      int[] counts = epochs.computeIfAbsent(epoch, _ -> new int[items]);
      for (int item : batch) {
        counts[item]++;
      }
    }

    /** Returns true if so many epochs had every item exactly once. */
    synchronized boolean exactlyOnce(int expectedEpochs) {
      return epochs.size() == expectedEpochs
          && epochs.values().stream()
              .allMatch(counts -> IntStream.of(counts).allMatch(count -> count == 1));
    }
  }

  /** A small convolutional network: about 52,000 weights. */
  static final class Network {
    private static final Shape TWO = new Shape(2, 2);

    private Network() {}

    /** Creates an untrained network of two convolutions and two dense layers. */
    static Block make() {
      return new SequentialBlock()
          .add(convolution(8))
          .add(Activation.reluBlock())
          .add(Pool.maxPool2dBlock(TWO, TWO))
          .add(convolution(16))
          .add(Activation.reluBlock())
          .add(Pool.maxPool2dBlock(TWO, TWO))
          .add(Blocks.batchFlattenBlock())
          .add(Linear.builder().setUnits(64).build())
          .add(Activation.reluBlock())
          .add(Linear.builder().setUnits(Images.CLASSES).build());
    }

    private static Block convolution(int filters) {
      return Conv2d.builder()
          .setKernelShape(new Shape(3, 3))
          .optPadding(new Shape(1, 1))
          .setFilters(filters)
          .build();
    }
  }
}
