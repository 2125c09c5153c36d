package io.quiver.core.dataset;

/** The usual keys of a digest's metadata. Others are allowed; none is needed to read the items. */
public final class DigestMetadata {
  /** The address of the data set's store, without secrets. */
  public static final String SOURCE = "source";

  /** The way items were cut from objects: files, tar, idx, records or auto. */
  public static final String KIND = "kind";

  /** The source of the labels: directory, bytes or none. */
  public static final String LABELS = "labels";

  /** The shape of fixed records, where items were cut that way. */
  public static final String RECORDS = "records";

  /** The program that wrote the digest. */
  public static final String CREATED_BY = "created-by";

  private DigestMetadata() {}
}
