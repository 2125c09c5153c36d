package io.quiver.djl;

import ai.djl.modality.cv.Image;
import ai.djl.modality.cv.ImageFactory;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Record;
import ai.djl.translate.Pipeline;
import ai.djl.translate.Transform;
import java.io.IOException;

/**
 * Items that are image files (JPEG, PNG, whatever DJL's image factory reads), followed by DJL's own
 * transforms. Labels are the digest's; without them there are none.
 */
public final class ImageDecoder implements Decoder {
  private final Image.Flag flag;
  private final Pipeline pipeline;

  /** Colour images; most networks want at least a size and {@code ToTensor}. */
  public ImageDecoder(Transform... transforms) {
    this(Image.Flag.COLOR, transforms);
  }

  /** Images in colour or in shades of grey. */
  public ImageDecoder(Image.Flag flag, Transform... transforms) {
    this.flag = flag;
    this.pipeline = new Pipeline(transforms);
  }

  @Override
  public Record decode(NDManager manager, ItemSample sample) throws IOException {
    NDArray pixels =
        ImageFactory.getInstance().fromInputStream(sample.open()).toNDArray(manager, flag);
    NDList labels =
        sample.hasLabel() ? new NDList(manager.create((long) sample.label())) : new NDList();
    return new Record(pipeline.transform(new NDList(pixels)), labels);
  }
}
