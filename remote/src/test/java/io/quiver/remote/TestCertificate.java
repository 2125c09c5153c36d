package io.quiver.remote;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for localhost that nobody knows, made by the JDK's own tool.
 *
 * @param store holds its key
 * @param pem holds the certificate
 */
public record TestCertificate(Path store, Path pem) {
  public static final String PASSWORD = "changeit";

  public static TestCertificate create(Path folder) throws Exception {
    Path store = folder.resolve("server.p12");
    Path pem = folder.resolve("authority.pem");
    keytool(
        List.of(
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-validity",
            "30",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD));
    keytool(
        List.of(
            "-exportcert",
            "-rfc",
            "-alias",
            "server",
            "-file",
            pem.toString(),
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD));
    return new TestCertificate(store, pem);
  }

  public SSLContext serverContext() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(store)) {
      keys.load(bytes, PASSWORD.toCharArray());
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException("keytool failed: " + arguments);
    }
  }
}
