package io.quiver.remote;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Trust in a site's own certificate authority, beside those the system trusts already. */
public final class Certificates {
  private Certificates() {}

  /** Returns trust managers that accept the system's authorities and those in the PEM file. */
  public static TrustManager[] trustManagers(Path pem) throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int count = 0;
      for (X509Certificate known : systemAuthorities()) {
        trusted.setCertificateEntry("system-" + count++, known);
      }
      for (Certificate added : parse(pem)) {
        trusted.setCertificateEntry("added-" + count++, added);
      }
      return factory(trusted).getTrustManagers();
    } catch (GeneralSecurityException unusable) {
      throw new IOException("cannot use the certificates in " + pem, unusable);
    }
  }

  /** Returns an SSL context that accepts the system's authorities and those in the PEM file. */
  public static SSLContext context(Path pem) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trustManagers(pem), null);
      return context;
    } catch (GeneralSecurityException unusable) {
      throw new IOException("cannot use the certificates in " + pem, unusable);
    }
  }

  /**
   * Returns true if a call failed because nobody vouches for the other side: no retry mends that.
   */
  public static boolean isUntrusted(Throwable failure) {
    int depth = 0;
    for (Throwable cause = failure; cause != null && depth < 20; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return true;
      }
      depth++;
    }
    return false;
  }

  /** Returns the error that names an untrusted server and the remedy. */
  public static IOException untrusted(String what, Throwable failure) {
    return new IOException(
        "no trusted connection for '"
            + what
            + "': the service's certificate is not known here; configure the PEM file of its"
            + " certificate authority",
        failure);
  }

  private static Collection<? extends Certificate> parse(Path pem) throws IOException {
    try (InputStream bytes = Files.newInputStream(pem)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(bytes);
      if (found.isEmpty()) {
        throw new IOException(pem + " holds no certificate; give a PEM file of authorities");
      }
      return found;
    } catch (GeneralSecurityException malformed) {
      throw new IOException(pem + " is not a PEM file of certificates", malformed);
    }
  }

  private static X509Certificate[] systemAuthorities() throws GeneralSecurityException {
    for (TrustManager manager : factory(null).getTrustManagers()) {
      if (manager instanceof X509TrustManager x509) {
        return x509.getAcceptedIssuers();
      }
    }
    return new X509Certificate[0];
  }

  private static TrustManagerFactory factory(@Nullable KeyStore trusted)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory;
  }
}
