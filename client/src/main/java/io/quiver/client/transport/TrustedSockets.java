package io.quiver.client.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Makes TLS sockets that trust either the platform's authorities or those of one PEM file. */
public final class TrustedSockets {
  private TrustedSockets() {}

  /**
   * Returns a factory of such sockets.
   *
   * @throws IllegalArgumentException if the file has no certificates that can be read
   */
  public static SSLSocketFactory factory(Optional<Path> pem) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      if (pem.isEmpty()) {
        context.init(null, null, null);
      } else {
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities(pem.get()));
        context.init(null, trust.getTrustManagers(), null);
      }
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "cannot trust "
              + pem.map(Path::toString).orElse("the platform's certificates")
              + "; a file of PEM certificates is needed: "
              + e.getMessage(),
          e);
    }
  }

  private static KeyStore authorities(Path pem) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream file = Files.newInputStream(pem)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(file);
      if (certificates.isEmpty()) {
        throw new IOException("no certificate in it");
      }
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("authority-" + store.size(), certificate);
      }
    }
    return store;
  }
}
