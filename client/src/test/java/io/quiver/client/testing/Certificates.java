package io.quiver.client.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A fresh certificate that signs itself, as PEM files.
 *
 * @param certificate the certificate, which is its own authority
 * @param key its private key
 */
public record Certificates(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  /** Makes one for a subject such as {@code ip:127.0.0.1} in this folder. */
  public static Certificates create(Path folder, String subject)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path keystore = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
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
                keystore.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!keytool.waitFor(1, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
      throw new IOException("keytool failed: " + output);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(keystore)) {
      store.load(file, PASSWORD.toCharArray());
    }
    byte[] key = store.getKey("server", PASSWORD.toCharArray()).getEncoded();
    return new Certificates(
        pem(folder.resolve("cert.pem"), "CERTIFICATE", store.getCertificate("server").getEncoded()),
        pem(folder.resolve("key.pem"), "PRIVATE KEY", key));
  }

  private static Path pem(Path file, String type, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }
}
