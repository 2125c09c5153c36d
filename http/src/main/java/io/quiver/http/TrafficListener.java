package io.quiver.http;

/** Hears of what happens on the connections, to count it. Called from many threads. */
public interface TrafficListener {
  /** The head of a request has arrived; {@link #answered} follows. */
  void asked();

  /**
   * A request was answered, or failed half way.
   *
   * @param exchange what was asked
   * @param status the status sent; zero if the connection failed before
   * @param receivedBytes the body received
   * @param sentBytes the body announced in the answer
   * @param nanos from the end of the head to the end of the answer
   */
  void answered(Exchange exchange, int status, long receivedBytes, long sentBytes, long nanos);

  /** A request could not be understood. */
  void malformed(int status);

  /** A connection was taken. */
  void accepted();

  /** A connection was turned away because there are too many. */
  void turnedAway();

  /** A connection was cut because it took too long. */
  void cut();
}
