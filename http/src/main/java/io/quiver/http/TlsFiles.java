package io.quiver.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Turns PEM files into the platform's TLS contexts. */
public final class TlsFiles {
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private TlsFiles() {}

  /**
   * Loads the files, and loads them again when they change.
   *
   * @throws IOException if they make no sense now
   */
  public static Supplier<SSLContext> watch(TlsConfig config) throws IOException {
    return ReloadedFiles.load(config.files(), () -> load(config));
  }

  /** Loads the files as they are now. */
  public static SSLContext load(TlsConfig config) throws IOException {
    KeyManager @Nullable [] keys =
        config.keyPair().isPresent() ? keys(config.keyPair().get()) : null;
    TrustManager @Nullable [] trust =
        config.trust().isPresent() ? trust(config.trust().get()) : null;
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the platform has no TLS (" + e.getMessage() + ")", e);
    }
  }

  private static KeyManager[] keys(TlsConfig.KeyPair pair) throws IOException {
    try {
      Certificate[] chain = certificates(pair.certificateChain());
      PrivateKey key = privateKey(pair.privateKey());
      requirePair(chain[0].getPublicKey(), key);
      char[] password = new char[0];
      KeyStore store = emptyStore();
      store.setKeyEntry("own", key, password, chain);
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, password);
      return keys.getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "cannot use the certificate "
              + pair.certificateChain()
              + " with the key "
              + pair.privateKey()
              + " ("
              + e.getMessage()
              + "); do they belong together?",
          e);
    }
  }

  /** Signs and verifies a few bytes: while files are replaced, a new one may meet an old one. */
  private static void requirePair(PublicKey certified, PrivateKey key)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    byte[] text = "quiver".getBytes(StandardCharsets.US_ASCII);
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(text);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(certified);
    verifier.update(text);
    if (!verifier.verify(signature)) {
      throw new GeneralSecurityException("the key is not the certificate's");
    }
  }

  private static TrustManager[] trust(Path file) throws IOException {
    try {
      KeyStore store = emptyStore();
      Certificate[] issuers = certificates(file);
      for (int i = 0; i < issuers.length; i++) {
        store.setCertificateEntry("issuer-" + i, issuers[i]);
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(store);
      return trust.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "cannot trust the certificates in " + file + " (" + e.getMessage() + ")", e);
    }
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, new char[0]);
    return store;
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
