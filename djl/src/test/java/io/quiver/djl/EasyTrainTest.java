package io.quiver.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.quiver.core.plan.PlannerKind;
import io.quiver.node.EmbeddedCluster;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EasyTrainTest {
  private static final int EPOCHS = 4;
  private static final long SEED = 11;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void djlsOwnLoopLearnsFromIt(boolean ahead) throws Exception {
    Stripes known = Stripes.make(folder.resolve("train"), 600, SEED);
    Stripes unknown = Stripes.make(folder.resolve("test"), 200, SEED + 1);
    try (EmbeddedCluster cluster =
            EmbeddedCluster.open(
                folder.resolve("cache"), known.digest().totalBytes() / 2, PlannerKind.MARGINAL);
        QuiverDataset train = scaled(known).optCache(cluster.uri()).optEpochs(EPOCHS).build();
        QuiverDataset test = scaled(unknown).optCache(cluster.uri()).build();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Model model = model()) {
      DefaultTrainingConfig config = config();
      try (Trainer trainer =
          model.newTrainer(ahead ? config.optExecutorService(threads) : config)) {
        trainer.setMetrics(new Metrics());
        trainer.initialize(new Shape(1, 1, Stripes.SIDE, Stripes.SIDE));
        EasyTrain.fit(trainer, EPOCHS, train, test);
        assertThat(trainer.getTrainingResult().getValidateEvaluation("Accuracy"))
            .as("accuracy on items it has not seen, seed %d", SEED)
            .isGreaterThan(0.95f);
        assertThat(trainer.getTrainingResult().getEpoch()).isEqualTo(EPOCHS);
      }
      assertThat(train.statistics().delivered().items()).isEqualTo(EPOCHS * 600L);
      assertThat(test.statistics().delivered().items()).isEqualTo(EPOCHS * 200L);
    }
  }

  private static QuiverDatasetBuilder scaled(Stripes stripes) {
    return stripes.dataset().setBatchDecoder(Stripes.decoder().scaled(125, 65)).optSeed(SEED);
  }

  private static Model model() {
    Engine.getInstance().setRandomSeed((int) SEED);
    Model model = Model.newInstance("stripes");
    model.setBlock(
        new SequentialBlock()
            .add(Blocks.batchFlattenBlock())
            .add(Linear.builder().setUnits(8).build())
            .add(Activation.reluBlock())
            .add(Linear.builder().setUnits(2).build()));
    return model;
  }

  private static DefaultTrainingConfig config() {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.01f)).build())
        .addEvaluator(new Accuracy())
        .addTrainingListeners(TrainingListener.Defaults.basic());
  }
}
