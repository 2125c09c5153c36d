package io.quiver.cli;

import io.quiver.server.TlsConfig;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A fresh certificate for 127.0.0.1 that signs itself.
 *
 * @param certificate the certificate as PEM, its own authority
 * @param key its private key as PEM
 */
record SelfSigned(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  static SelfSigned make(Path folder) throws Exception {
    Path file = folder.resolve("keys.p12");
    String line =
        "-genkeypair -alias a -keyalg EC -groupname secp256r1 -dname CN=test -ext SAN=ip:127.0.0.1"
            + " -validity 2 -storetype PKCS12 -storepass "
            + PASSWORD
            + " -keystore "
            + file;
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder((keytool + " " + line).split(" ")).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new AssertionError("keytool failed");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return new SelfSigned(
        pem(folder.resolve("cert.pem"), "CERTIFICATE", store.getCertificate("a").getEncoded()),
        pem(
            folder.resolve("key.pem"),
            "PRIVATE KEY",
            store.getKey("a", PASSWORD.toCharArray()).getEncoded()));
  }

  /** As a server takes it. */
  TlsConfig server() {
    return new TlsConfig(certificate, key);
  }

  private static Path pem(Path file, String type, byte[] content) throws Exception {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }
}
