package io.quiver.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Moves the bytes of one connection, in clear or through TLS, and reports progress. */
sealed interface Transport extends Closeable permits PlainTransport, TlsTransport {
  /** Returns what the peer sends, not buffered. */
  InputStream input();

  /** Returns the names in the client's certificate, which TLS has verified; empty without one. */
  default List<String> certificateNames() {
    return List.of();
  }

  /**
   * Receives into a direct buffer past {@link #input}, without a copy in between: at least one
   * byte, -1 at the end, or 0 where bytes come by the stream only.
   */
  default int readDirectly(ByteBuffer target) throws IOException {
    return 0;
  }

  /** Sends what remains in the first {@code count} buffers, all of it, in order. */
  void write(ByteBuffer[] buffers, int count) throws IOException;

  /** Tells the peer that nothing more will be sent, while the peer may still be sending. */
  void finish() throws IOException;
}
