package io.quiver.client.transport;

import io.quiver.protocol.FrameException;
import java.io.IOException;

/**
 * Reads a successful answer. It may be called again for another attempt; it releases what it
 * acquired for a failed attempt.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface AnswerReader<T> {
  /**
   * Reads the whole body.
   *
   * @param deadlineNanos when the exchange must be over
   */
  T read(ResponseHead head, Body body, long deadlineNanos)
      throws IOException, FrameException, ExchangeException, InterruptedException;
}
