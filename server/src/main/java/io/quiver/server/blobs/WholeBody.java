package io.quiver.server.blobs;

import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;

/** Reads short bodies whole: questions and documents. */
final class WholeBody {
  private static final int FIRST_BYTES = 4 << 10;

  private WholeBody() {}

  /** The body, announced or chunked; longer ones are refused and close the connection. */
  static byte[] read(RequestBody body, int maxBytes, Supplier<Refusal> tooLong)
      throws IOException, Refusal {
    if (body.length() > maxBytes) {
      throw tooLong.get().closing();
    }
    if (body.length() >= 0) {
      byte[] whole = new byte[(int) body.length()];
      body.readFully(whole, 0, whole.length);
      return whole;
    }
    return chunked(body, maxBytes, tooLong);
  }

  private static byte[] chunked(RequestBody body, int maxBytes, Supplier<Refusal> tooLong)
      throws IOException, Refusal {
    byte[] whole = new byte[FIRST_BYTES];
    int length = 0;
    while (true) {
      int step = body.read(whole, length, whole.length - length);
      if (step < 0) {
        return Arrays.copyOf(whole, length);
      }
      length += step;
      if (length > maxBytes) {
        throw tooLong.get().closing();
      }
      if (length == whole.length) {
        whole = Arrays.copyOf(whole, 2 * length);
      }
    }
  }
}
