package io.quiver.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Turns PEM files into the platform's TLS context. */
final class TlsFiles {
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private TlsFiles() {}

  /** A server's context with this certificate and key. */
  static SSLContext load(TlsConfig config) throws IOException {
    try {
      char[] password = new char[0];
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, password);
      Certificate[] chain = certificates(config.certificateChain());
      store.setKeyEntry("server", privateKey(config.privateKey()), password, chain);
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "cannot use the certificate "
              + config.certificateChain()
              + " with the key "
              + config.privateKey()
              + " ("
              + e.getMessage()
              + "); do they belong together?",
          e);
    }
  }

  private static Certificate[] certificates(Path file)
      throws IOException, GeneralSecurityException {
    byte[] pem = Files.readAllBytes(file);
    Certificate[] chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem))
            .toArray(Certificate[]::new);
    if (chain.length == 0) {
      throw new IOException("no certificate in " + file + "; it must be a PEM file");
    }
    return chain;
  }

  private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
    Matcher match = PRIVATE_KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    if (!match.find()) {
      throw new IOException(
          "no unencrypted PKCS#8 key in "
              + file
              + "; convert it with: openssl pkcs8 -topk8 -nodes");
    }
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(match.group(1)));
    @Nullable InvalidKeySpecException last = null;
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        last = e; // of another kind, perhaps the next
      }
    }
    throw new IOException("the key in " + file + " is of none of the kinds " + ALGORITHMS, last);
  }
}
