package io.quiver.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Record;
import ai.djl.translate.Batchifier;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.djl.DecodedBatches.Decoded;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes DJL's batches of the loader's. Every batch has a manager of its own, so that closing it
 * frees all its arrays; the loader's memory is given back as soon as the batch is decoded, or
 * failed to be.
 */
final class BatchMaker {
  private final LoaderConfig config;
  private final Decoding decoding;
  private final NDManager manager;
  private final int total;

  /**
   * Makes the batches of one epoch.
   *
   * @param manager the epoch's; what it has left goes with it
   * @param total how many items the epoch has
   */
  BatchMaker(LoaderConfig config, Decoding decoding, NDManager manager, int total) {
    this.config = config;
    this.decoding = decoding;
    this.manager = manager;
    this.total = total;
  }

  /**
   * Decodes a batch and closes it.
   *
   * @param done how many items there will have been with it
   */
  Decoded make(io.quiver.client.loader.Batch loaded, long done) {
    try (loaded) {
      List<ItemSample> samples =
          IntStream.range(0, loaded.size())
              .mapToObj(place -> new ItemSample(config, loaded, place))
              .toList();
      double[] weights = IntStream.range(0, loaded.size()).mapToDouble(loaded::weight).toArray();
      return new Decoded(batch(samples, done), delivered(loaded), weights);
    }
  }

  private Batch batch(List<ItemSample> samples, long done) {
    NDManager own = manager.newSubManager();
    boolean made = false;
    try {
      Record record = decode(own, samples);
      Batch batch =
          new Batch(
              own,
              record.getData(),
              record.getLabels(),
              samples.size(),
              decoding.dataBatchifier(),
              decoding.labelBatchifier(),
              done,
              total,
              samples.stream().map(sample -> (long) sample.item()).toList());
      made = true;
      return batch;
    } finally {
      if (!made) {
        own.close();
      }
    }
  }

  private Record decode(NDManager own, List<ItemSample> samples) {
    try {
      return decoding.decoder().decode(own, samples);
    } catch (DecodeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DecodeException("interrupted while decoding " + samples.getFirst(), e);
    } catch (Exception e) {
      throw new DecodeException(
          "a batch of "
              + samples.size()
              + " items that begins with "
              + samples.getFirst()
              + " cannot be decoded: "
              + DecodeException.reason(e),
          e);
    }
  }

  private static List<Integer> delivered(io.quiver.client.loader.Batch loaded) {
    return IntStream.range(0, loaded.size())
        .filter(place -> !loaded.isPadding(place))
        .map(loaded::item)
        .boxed()
        .toList();
  }

  /**
   * The decoder and batchifiers that turn bytes into arrays.
   *
   * @param decoder decodes batches
   * @param dataBatchifier divides the data of a batch among devices
   * @param labelBatchifier divides its labels
   */
  record Decoding(BatchDecoder decoder, Batchifier dataBatchifier, Batchifier labelBatchifier) {}
}
