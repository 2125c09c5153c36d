package io.quiver.djl;

import io.quiver.client.loader.Batch;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestItem;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * An item of the data set as a decoder gets it. Its bytes are given as copies, because the memory
 * they lie in is used again once the batch is decoded, while some engines keep the buffers that
 * they make arrays of.
 */
public final class ItemSample {
  private final LoaderConfig config;
  private final Batch batch;
  private final int place;

  ItemSample(LoaderConfig config, Batch batch, int place) {
    this.config = config;
    this.batch = batch;
    this.place = place;
  }

  /** Returns the index of the item in the digest. */
  public int item() {
    return batch.item(place);
  }

  /** Returns the number of bytes of the item. */
  public int size() {
    return batch.bytes(place).remaining();
  }

  /** Returns its bytes, in an array of the caller's own. */
  public byte[] bytes() {
    ByteBuffer bytes = batch.bytes(place);
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  /** Returns its bytes as a stream that needs no closing. */
  public InputStream open() {
    return new ByteArrayInputStream(bytes());
  }

  /** Copies its bytes to the target's position. */
  public void copyTo(ByteBuffer target) {
    target.put(batch.bytes(place));
  }

  /** Returns true if the digest has a label for it. */
  public boolean hasLabel() {
    return digest().label(item()) != DigestItem.NONE;
  }

  /**
   * Returns its class, as the digest says.
   *
   * @throws IllegalStateException if the digest does not
   */
  public int label() {
    int label = digest().label(item());
    if (label == DigestItem.NONE) {
      throw new IllegalStateException(
          this + " has no label; make a digest with labels, or a decoder that knows better");
    }
    return label;
  }

  /** Returns its own name inside its object; empty if it has none. */
  public String name() {
    return digest().itemName(item());
  }

  /** Returns the object of the store in which it lies. */
  public String object() {
    return digest().objectName(digest().objectIndex(item()));
  }

  private DatasetDigest digest() {
    return config.digest();
  }

  /** Returns the location of the item, for people. */
  @Override
  public String toString() {
    return "item "
        + item()
        + " ('"
        + object()
        + (name().isEmpty() ? "" : "', '" + name())
        + "' in "
        + config.store().uri()
        + ", "
        + digest().size(item())
        + " bytes from "
        + digest().offset(item())
        + ")";
  }
}
