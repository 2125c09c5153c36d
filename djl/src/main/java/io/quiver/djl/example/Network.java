package io.quiver.djl.example;

import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;

/** A small convolutional network: about 52,000 weights. */
final class Network {
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
