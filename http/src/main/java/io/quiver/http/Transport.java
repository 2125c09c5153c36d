package io.quiver.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The bytes of one connection, in clear or through TLS. Stamps progress on its {@link
 * RequestTimeouts}.
 */
sealed interface Transport extends Closeable permits PlainTransport, TlsTransport {
  /** What the peer sends; not buffered. */
  InputStream input();

  /**
   * Receives into a direct buffer past {@link #input}, without a copy in between: at least one
   * byte, -1 at the end, or 0 where bytes come by the stream only.
   */
  default int readDirectly(ByteBuffer target) throws IOException {
    return 0;
  }

  /** Sends what remains in the first {@code count} buffers, all of it, in order. */
  void write(ByteBuffer[] buffers, int count) throws IOException;

  /** Says that nothing more will be sent, while the peer may still be sending. */
  void finish() throws IOException;
}
