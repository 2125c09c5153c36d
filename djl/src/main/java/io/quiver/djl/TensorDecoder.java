package io.quiver.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.dataset.Record;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Items that are plain numbers of one shape, such as the images of an idx file: the whole batch is
 * gathered into one buffer and becomes one array. Numbers of several bytes are taken in the
 * machine's byte order. Labels are the digest's; without them there are none.
 */
public final class TensorDecoder implements BatchDecoder {
  private final Shape shape;
  private final DataType type;
  private final Optional<Scale> scale;

  private record Scale(float mean, float deviation) {}

  private TensorDecoder(Shape shape, DataType type, Optional<Scale> scale) {
    this.shape = shape;
    this.type = type;
    this.scale = scale;
  }

  /**
   * Items of a shape.
   *
   * @param shape of one item, for example {@code (1, 28, 28)}
   * @param type of its numbers as they lie in the store
   */
  public TensorDecoder(Shape shape, DataType type) {
    this(shape, type, Optional.empty());
    if (shape.size() < 1) {
      throw new IllegalArgumentException(shape + " has no numbers; every dimension is at least 1");
    }
  }

  /** Returns a copy with numbers made floats around 0: {@code (number - mean) / deviation}. */
  public TensorDecoder scaled(float mean, float deviation) {
    return new TensorDecoder(shape, type, Optional.of(new Scale(mean, deviation)));
  }

  @Override
  public Record decode(NDManager manager, List<ItemSample> samples) {
    long itemBytes = shape.size() * type.getNumOfBytes();
    ByteBuffer bytes =
        manager.allocateDirect(Math.toIntExact(Math.multiplyExact(itemBytes, samples.size())));
    for (ItemSample sample : samples) {
      requireSize(sample, itemBytes);
      sample.copyTo(bytes);
    }
    NDArray numbers = manager.create(bytes.flip(), new Shape(samples.size()).addAll(shape), type);
    return new Record(
        new NDList(scale.map(each -> scaled(numbers, each)).orElse(numbers)),
        labels(manager, samples));
  }

  private void requireSize(ItemSample sample, long itemBytes) {
    if (sample.size() != itemBytes) {
      throw new DecodeException(
          sample + " is no " + type + " of shape " + shape + ", which has " + itemBytes + " bytes",
          null);
    }
  }

  private static NDArray scaled(NDArray numbers, Scale scale) {
    try (numbers) {
      return numbers.toType(DataType.FLOAT32, true).subi(scale.mean).divi(scale.deviation);
    }
  }

  private static NDList labels(NDManager manager, List<ItemSample> samples) {
    if (!samples.getFirst().hasLabel()) {
      return new NDList();
    }
    return new NDList(manager.create(samples.stream().mapToLong(ItemSample::label).toArray()));
  }
}
