package io.quiver.djl.example;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
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
import io.quiver.djl.QuiverDataset;
import io.quiver.djl.TensorDecoder;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
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
}
