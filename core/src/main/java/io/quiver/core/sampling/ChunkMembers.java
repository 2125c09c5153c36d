package io.quiver.core.sampling;

/**
 * The members of one chunk by place, as {@link ChunkLayout#member} tells, with what is the same for
 * all places worked out once: samplers ask millions of times a second.
 */
final class ChunkMembers {
  private final long items;
  private final int chunks;
  private final int size;
  private final int shortPartition;
  private final int shortUnit;
  private final int longUnit;
  private final int shortOffset;
  private final int longOffset;

  ChunkMembers(ChunkLayout layout, int chunk) {
    this.items = layout.items();
    this.chunks = layout.chunks();
    this.size = layout.size(chunk);
    this.shortPartition = layout.items() / layout.chunks();
    this.shortOffset = unitBound(chunk, shortPartition);
    this.longOffset = unitBound(chunk, shortPartition + 1);
    this.shortUnit = unitBound(chunk + 1, shortPartition) - shortOffset;
    this.longUnit = unitBound(chunk + 1, shortPartition + 1) - longOffset;
  }

  private int unitBound(int chunk, int partitionLength) {
    return (int) (((long) chunk * partitionLength + chunks - 1) / chunks);
  }

  int size() {
    return size;
  }

  /** The item at a place from 0 up to the size. */
  int at(int place) {
    int partition = (int) ((long) place * chunks / size);
    int start = partitionStart(partition);
    int before = membersBefore(partition, start);
    while (before > place) {
      partition--;
      start = partitionStart(partition);
      before = membersBefore(partition, start);
    }
    while (true) {
      int next = partitionStart(partition + 1);
      boolean isLong = next - start > shortPartition;
      if (place - before < (isLong ? longUnit : shortUnit)) {
        return start + (isLong ? longOffset : shortOffset) + place - before;
      }
      before += isLong ? longUnit : shortUnit;
      start = next;
      partition++;
    }
  }

  private int partitionStart(int partition) {
    return (int) ((partition * items + chunks - 1) / chunks);
  }

  private int membersBefore(int partition, int start) {
    int longOnes = start - partition * shortPartition;
    return (partition - longOnes) * shortUnit + longOnes * longUnit;
  }
}
