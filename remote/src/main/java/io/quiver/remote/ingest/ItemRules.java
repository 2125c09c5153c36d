package io.quiver.remote.ingest;

/**
 * Which items are acceptable.
 *
 * @param maxItemBytes larger ones are refused
 * @param emptyItems what to do with those of zero bytes
 */
record ItemRules(long maxItemBytes, EmptyItems emptyItems) {

  /** Whether an item of this size becomes one; an empty one may be left out or refused. */
  boolean admits(long size, String location) throws IngestException {
    if (size > maxItemBytes) {
      throw new IngestException(
          "'%s' has %d bytes, the limit is %d; raise the limit here and at the servers, or exclude it"
              .formatted(location, size, maxItemBytes));
    }
    if (size == 0 && emptyItems == EmptyItems.REFUSE) {
      throw new IngestException(
          "'%s' has zero bytes; fetch it again if the download broke, or keep or skip empty items"
              .formatted(location));
    }
    return size > 0 || emptyItems == EmptyItems.KEEP;
  }
}
