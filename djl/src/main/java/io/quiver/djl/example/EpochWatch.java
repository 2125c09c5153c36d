package io.quiver.djl.example;

import ai.djl.training.Trainer;
import ai.djl.training.TrainingResult;
import ai.djl.training.listener.TrainingListenerAdapter;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.djl.QuiverDataset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Notes what each epoch came to, as DJL tells of batches and epochs. */
final class EpochWatch extends TrainingListenerAdapter {
  private final QuiverDataset dataset;
  private final LongSupplier nanoTime;
  private final Consumer<FashionEpoch> ended;
  private final List<FashionEpoch> results = new ArrayList<>();
  private LoaderStatistics before;
  private long begin;
  private long lastBatch;

  /**
   * A watch that is told of epochs by a trainer.
   *
   * @param ended told of each epoch
   */
  EpochWatch(QuiverDataset dataset, LongSupplier nanoTime, Consumer<FashionEpoch> ended) {
    this.dataset = dataset;
    this.nanoTime = nanoTime;
    this.ended = ended;
    this.before = dataset.statistics();
    this.begin = nanoTime.getAsLong();
  }

  @Override
  public void onTrainingBatch(Trainer trainer, BatchData batchData) {
    lastBatch = nanoTime.getAsLong();
  }

  @Override
  public void onEpoch(Trainer trainer) {
    LoaderStatistics after = dataset.statistics();
    TrainingResult result = trainer.getTrainingResult();
    results.add(
        FashionEpoch.of(
            results.size() + 1,
            (lastBatch - begin) / 1e9,
            result.getTrainLoss(),
            result.getValidateEvaluation("Accuracy"),
            before,
            after));
    before = after;
    begin = nanoTime.getAsLong();
    ended.accept(results.getLast());
  }

  /** Returns the epochs so far. */
  List<FashionEpoch> results() {
    return List.copyOf(results);
  }
}
