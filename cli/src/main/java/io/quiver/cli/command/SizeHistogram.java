package io.quiver.cli.command;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The distribution of the sizes of a data set's items, in powers of two. */
final class SizeHistogram {
  private static final int BAR = 40;

  private SizeHistogram() {}

  /** Items of {@code fromBytes} up to, but not of, {@code toBytes}. */
  record Bucket(long fromBytes, long toBytes, long items) {}

  /** The buckets from the smallest to the largest that holds something. */
  static List<Bucket> of(DatasetDigest digest) {
    long[] counts = new long[Long.SIZE];
    for (int item = 0; item < digest.itemCount(); item++) {
      counts[bucket(digest.size(item))]++;
    }
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        buckets.add(new Bucket(i == 0 ? 0 : 1L << (i - 1), 1L << i, counts[i]));
      }
    }
    return buckets;
  }

  /** 0 for empty items, then one bucket for each power of two. */
  private static int bucket(long size) {
    return Long.SIZE - Long.numberOfLeadingZeros(size);
  }

  static List<String> lines(List<Bucket> buckets, Paint paint) {
    long most = buckets.stream().mapToLong(Bucket::items).max().orElse(1);
    return buckets.stream()
        .map(bucket ->
            String.format(
                Locale.ROOT,
                "  %8s – %8s  %s %,d",
                ByteSize.show(bucket.fromBytes()),
                ByteSize.show(bucket.toBytes()),
                paint.good("▇".repeat((int) Math.ceilDiv(BAR * bucket.items(), most))),
                bucket.items()))
        .toList();
  }
}
