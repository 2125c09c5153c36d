package io.quiver.http;

import java.io.IOException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * A server's side of TLS.
 *
 * @param context the newest context, asked for by each new connection
 * @param asksClients whether clients are asked for a certificate; showing one is up to them
 */
public record ServerTls(Supplier<SSLContext> context, boolean asksClients) {
  /** Loads the files, and loads them again when they change. */
  public static ServerTls of(TlsConfig config) throws IOException {
    if (config.keyPair().isEmpty()) {
      throw new IOException("a server needs a certificate and its key");
    }
    return new ServerTls(TlsFiles.watch(config), config.trust().isPresent());
  }
}
