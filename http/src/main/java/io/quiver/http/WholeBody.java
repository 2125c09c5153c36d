package io.quiver.http;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A short body, or the beginning of a long one, read into memory. Memory grows with the bytes that
 * arrive, never with the bytes that are announced.
 *
 * <p>The first {@value #FREE_BYTES} bytes need no share of the budget, because the number of
 * connections bounds them: a peer that announces much and sends nothing holds nothing. Then the
 * whole length is taken at once, so that nobody waits for bytes with bytes in hand. A body of
 * unknown length takes what it needs as it grows, and is refused where that is not there.
 */
public final class WholeBody implements AutoCloseable {
  static final int FREE_BYTES = 16 << 10;

  /** Times as many bytes as have arrived may be held. */
  private static final int GROWTH = 4;

  private final RequestBody body;
  private final ByteBudget budget;
  private byte[] bytes;
  private int length;
  private long wantedBytes;
  private ByteBudget.@Nullable Share share;

  private WholeBody(RequestBody body, ByteBudget budget) {
    this.body = body;
    this.budget = budget;
    long announced = body.length() < 0 ? FREE_BYTES : body.length();
    this.bytes = new byte[(int) Math.min(announced, FREE_BYTES)];
  }

  /**
   * Reads a body, announced or chunked, up to the limit of its route.
   *
   * @throws Refusal if it is too long, or if the budget stays used up
   */
  public static WholeBody read(RequestBody body, ByteBudget budget) throws IOException, Refusal {
    body.requireWithinLimit();
    WholeBody whole = new WholeBody(body, budget);
    if (body.length() < 0) {
      whole.receive(Integer.MAX_VALUE);
    } else {
      whole.readTo(Math.toIntExact(body.length()));
    }
    return whole;
  }

  /** Begins to read a body of which {@link #readTo} reads as much as is wanted. */
  public static WholeBody begin(RequestBody body, ByteBudget budget) {
    return new WholeBody(body, budget);
  }

  /**
   * Reads on until this many bytes of the body are here.
   *
   * @throws Refusal if the body ends before, or if the budget stays used up
   */
  public void readTo(int end) throws IOException, Refusal {
    receive(end);
    if (length < end) {
      close();
      throw body.endsInside();
    }
  }

  private void receive(int end) throws IOException, Refusal {
    wantedBytes = end == Integer.MAX_VALUE ? 0 : end;
    boolean received = false;
    try {
      int step = 0;
      while (length < end && step >= 0) {
        if (length == bytes.length) {
          grow((int) Math.min(end, (long) GROWTH * length));
        }
        step = body.read(bytes, length, Math.min(end, bytes.length) - length);
        length += Math.max(0, step);
      }
      received = true;
    } finally {
      if (!received) {
        close();
      }
    }
  }

  private void grow(int capacity) throws Refusal {
    if (share == null) {
      share = budget.take(body.caller(), Math.max(capacity, wantedBytes));
    } else {
      share.grow(capacity);
    }
    bytes = Arrays.copyOf(bytes, capacity);
  }

  /** Returns the bytes received so far, which nobody else uses. */
  public byte[] bytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  /** Gives the share of the budget back. */
  @Override
  public void close() {
    if (share != null) {
      share.close();
      share = null;
    }
  }
}
