package io.quiver.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A fresh certificate that signs itself, made by the JDK's own tool.
 *
 * @param certificate the certificate as PEM, which is its own authority
 * @param key its private key as PEM
 * @param keystore both in one PKCS#12 file
 */
public record TestCertificate(Path certificate, Path key, Path keystore) {
  /** Opens the key store. */
  public static final String PASSWORD = "changeit";

  /** Makes one for this machine. */
  public static TestCertificate create(Path folder)
      throws IOException, GeneralSecurityException, InterruptedException {
    return create(folder, "dns:localhost,ip:127.0.0.1");
  }

  /** Makes one for a subject such as {@code ip:127.0.0.1} in this folder. */
  public static TestCertificate create(Path folder, String subject)
      throws IOException, GeneralSecurityException, InterruptedException {
    return create(folder, subject, "EC");
  }

  /** Makes one with a key of this kind: EC or RSA. */
  public static TestCertificate create(Path folder, String subject, String algorithm)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path keystore = folder.resolve("keys.p12");
    Files.deleteIfExists(keystore);
    makeKeys(keystore, subject, algorithm);
    KeyStore store = load(keystore);
    byte[] key = store.getKey("server", PASSWORD.toCharArray()).getEncoded();
    return new TestCertificate(
        pem(folder.resolve("cert.pem"), "CERTIFICATE", store.getCertificate("server").getEncoded()),
        pem(folder.resolve("key.pem"), "PRIVATE KEY", key),
        keystore);
  }

  /** Returns the context of a server that shows this certificate. */
  public SSLContext serverContext() throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(load(keystore), PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** Returns the context of a client that trusts this certificate and no other. */
  public SSLContext clientContext() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      trusted.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static void makeKeys(Path keystore, String subject, String algorithm)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                "server",
                "-dname",
                "CN=quiver test",
                "-ext",
                "SAN=" + subject,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                keystore.toString(),
                "-keyalg",
                algorithm));
    command.addAll(
        algorithm.equals("RSA") ? List.of("-keysize", "2048") : List.of("-groupname", "secp256r1"));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!keytool.waitFor(1, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new IOException("keytool failed: " + output);
    }
  }

  private static KeyStore load(Path keystore) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(keystore)) {
      store.load(file, PASSWORD.toCharArray());
    }
    return store;
  }

  private static Path pem(Path file, String type, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }
}
