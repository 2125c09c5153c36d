package io.quiver.http;

/** Is told what happens on the connections, to count it. Called from many threads. */
public interface TrafficListener {
  /** Notes that the head of a request has arrived; {@link #answered} follows. */
  void asked();

  /**
   * Notes that a request was answered, or failed half way.
   *
   * @param exchange what was asked
   * @param status the status sent; zero if the connection failed before
   * @param receivedBytes the body received
   * @param sentBytes the body announced in the answer
   * @param nanos from the end of the head to the end of the answer
   */
  void answered(Exchange exchange, int status, long receivedBytes, long sentBytes, long nanos);

  /** Notes a request that could not be understood. */
  void malformed(int status);

  /** Notes a connection that was taken. */
  void accepted();

  /** Notes a connection that was turned away because there are too many. */
  void turnedAway();

  /** Notes a connection that was cut because it took too long. */
  void cut();

  /** Counts nothing. */
  TrafficListener NONE =
      new TrafficListener() {
        @Override
        public void asked() {}

        @Override
        public void answered(
            Exchange exchange, int status, long receivedBytes, long sentBytes, long nanos) {}

        @Override
        public void malformed(int status) {}

        @Override
        public void accepted() {}

        @Override
        public void turnedAway() {}

        @Override
        public void cut() {}
      };
}
