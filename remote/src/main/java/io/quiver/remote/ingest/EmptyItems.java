package io.quiver.remote.ingest;

/** What to do with items of zero bytes: mostly broken downloads, sometimes meant. */
public enum EmptyItems {
  /** Fail, naming the first one. */
  REFUSE,
  /** Leave them out and count them. */
  SKIP,
  /** Make them items like any other. */
  KEEP
}
