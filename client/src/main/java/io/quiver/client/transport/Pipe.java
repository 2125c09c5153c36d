package io.quiver.client.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Carries bytes both ways over one socket. One thread uses it at a time; any thread may cut it. */
sealed interface Pipe permits PlainPipe, TlsPipe {
  /** Connects the socket. */
  void connect() throws IOException;

  /** Sends all of these bytes. */
  void write(ByteBuffer[] buffers) throws IOException;

  /** Receives at least one byte, or returns -1 at the end. */
  int read(ByteBuffer target) throws IOException;

  /** Ends the connection at once; a thread blocked in another method fails. */
  void cut();
}
