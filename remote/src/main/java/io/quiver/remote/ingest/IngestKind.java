package io.quiver.remote.ingest;

import java.util.Locale;

/** How items are cut from the objects of a store. */
public enum IngestKind {
  /** By name: {@code .tar} as tar, idx files as idx, everything else as files. */
  AUTO,
  /** Each object is one item. */
  FILES,
  /** Each regular member of an uncompressed tar archive is one item (WebDataset shards). */
  TAR,
  /** Each element of the first dimension of an idx file is one item (MNIST and its kin). */
  IDX,
  /** Each record of a fixed number of bytes is one item (CIFAR and its kin). */
  RECORDS;

  /** The word for it on the command line and in a digest's metadata. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
