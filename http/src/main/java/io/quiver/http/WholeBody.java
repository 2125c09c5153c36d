package io.quiver.http;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A short body that was read whole. Beyond {@value #FREE_BYTES} bytes it holds a share of a budget
 * until it is closed, so that many long bodies at once cannot exhaust the heap.
 */
public final class WholeBody implements AutoCloseable {
  /**
   * Bodies up to this length take nothing from the budget: the number of connections bounds them.
   */
  static final int FREE_BYTES = 16 << 10;

  private static final int FIRST_BYTES = 4 << 10;

  private final byte[] bytes;
  private final ByteBudget.@Nullable Share share;

  private WholeBody(byte[] bytes, ByteBudget.@Nullable Share share) {
    this.bytes = bytes;
    this.share = share;
  }

  /**
   * Reads a body, announced or chunked, up to the limit of its route.
   *
   * @throws Refusal if it is too long, or if the budget stays used up
   */
  public static WholeBody read(RequestBody body, ByteBudget budget) throws IOException, Refusal {
    body.requireWithinLimit();
    return body.length() >= 0 ? announced(body, budget) : chunked(body, budget);
  }

  private static WholeBody announced(RequestBody body, ByteBudget budget)
      throws IOException, Refusal {
    int length = Math.toIntExact(body.length());
    ByteBudget.Share share = length > FREE_BYTES ? budget.take(length) : null;
    try {
      byte[] bytes = new byte[length];
      body.readFully(bytes, 0, length);
      WholeBody whole = new WholeBody(bytes, share);
      share = null;
      return whole;
    } finally {
      if (share != null) {
        share.close();
      }
    }
  }

  private static WholeBody chunked(RequestBody body, ByteBudget budget)
      throws IOException, Refusal {
    ByteBudget.Share share = null;
    try {
      byte[] bytes = new byte[FIRST_BYTES];
      int length = 0;
      int step = body.read(bytes, 0, bytes.length);
      while (step >= 0) {
        length += step;
        if (length == bytes.length) {
          share = grow(share, 2L * length, budget);
          bytes = Arrays.copyOf(bytes, 2 * length);
        }
        step = body.read(bytes, length, bytes.length - length);
      }
      WholeBody whole = new WholeBody(Arrays.copyOf(bytes, length), share);
      share = null;
      return whole;
    } finally {
      if (share != null) {
        share.close();
      }
    }
  }

  private static ByteBudget.@Nullable Share grow(
      ByteBudget.@Nullable Share share, long bytes, ByteBudget budget) throws Refusal {
    if (share != null) {
      share.resize(bytes);
      return share;
    }
    return bytes > FREE_BYTES ? budget.take(bytes) : null;
  }

  /** Returns the bytes, which nobody else uses. */
  public byte[] bytes() {
    return bytes;
  }

  /** Gives the share of the budget back. */
  @Override
  public void close() {
    if (share != null) {
      share.close();
    }
  }
}
