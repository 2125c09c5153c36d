package io.quiver.client.transport;

import io.quiver.protocol.FrameException;
import java.io.IOException;

/**
 * Makes something of a successful answer. It may be called again for another attempt; what it
 * acquired for an attempt that fails it releases itself.
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
