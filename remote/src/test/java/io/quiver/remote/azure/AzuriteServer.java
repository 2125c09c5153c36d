package io.quiver.remote.azure;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import io.quiver.remote.AzureConfig;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * Azurite, the Azure emulator, as a child process on a free port. It is installed once through npm
 * into the module's target folder. Without npm the tests that need it are skipped, loudly; where
 * CI=true is set they fail.
 */
final class AzuriteServer implements AutoCloseable {
  static final String CONTAINER = "container";
  static final String ACCOUNT = "tester";

  private static final String VERSION = "3.35.0";
  private static final Pattern LISTENING = Pattern.compile("listens on (http://[0-9.:]+)");

  private final Process process;
  private final String endpoint;
  private final Secret key;
  private final AzureStores admin;

  private AzuriteServer(Process process, String endpoint, Secret key) throws IOException {
    this.process = process;
    this.endpoint = endpoint;
    this.key = key;
    this.admin = AzureStores.connect(CONTAINER, config(), Map.of());
    admin.container().create();
  }

  /** Starts a server with one container, or skips the calling test. */
  static AzuriteServer start(Path data) throws Exception {
    Path main = install();
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    Secret key = Secret.of(Base64.getEncoder().encodeToString(random));
    ProcessBuilder command =
        new ProcessBuilder(
            "node",
            main.toString(),
            "--blobHost",
            "127.0.0.1",
            "--blobPort",
            "0",
            "--location",
            data.toString(),
            "--silent",
            "--skipApiVersionCheck",
            "--disableTelemetry");
    command.environment().put("AZURITE_ACCOUNTS", ACCOUNT + ":" + key.reveal());
    Process process = command.redirectErrorStream(true).start();
    try {
      return new AzuriteServer(process, listening(process) + "/" + ACCOUNT, key);
    } catch (Exception failure) {
      process.destroyForcibly();
      throw failure;
    }
  }

  RemoteConfig config() {
    return config(key);
  }

  RemoteConfig config(Secret accountKey) {
    String connection =
        "DefaultEndpointsProtocol=http;AccountName="
            + ACCOUNT
            + ";AccountKey="
            + accountKey.reveal()
            + ";BlobEndpoint="
            + endpoint
            + ";";
    return RemoteConfig.DEFAULT.withAzure(
        AzureConfig.DEFAULT.withConnectionString(Secret.of(connection)));
  }

  String endpoint() {
    return endpoint;
  }

  Secret key() {
    return key;
  }

  BlobContainerClient container() {
    return admin.container();
  }

  void put(String key, byte[] bytes) {
    admin.container().getBlobClient(key).upload(BinaryData.fromBytes(bytes), true);
  }

  void putAll(String folder, Map<String, byte[]> objects) throws Exception {
    try (ExecutorService uploads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> pending = new ArrayList<>();
      objects.forEach(
          (name, bytes) -> pending.add(uploads.submit(() -> put(folder + name, bytes))));
      for (Future<?> upload : pending) {
        upload.get(60, TimeUnit.SECONDS);
      }
    }
  }

  @Override
  public void close() {
    admin.http().shutdownNow();
    process.destroyForcibly();
  }

  private static Path install() throws Exception {
    Path folder = Path.of(System.getProperty("basedir", ".")).resolve("target/azurite");
    Path main = folder.resolve("node_modules/azurite/dist/src/blob/main.js");
    Path done = folder.resolve("installed-" + VERSION);
    if (!Files.exists(done)) {
      Files.createDirectories(folder);
      List<String> npm = new ArrayList<>(List.of("npm", "install", "--prefix", folder.toString()));
      npm.addAll(List.of("--no-audit", "--no-fund", "--prefer-offline", "azurite@" + VERSION));
      require(run(npm), "npm could not install azurite@" + VERSION + ": is npm there and online?");
      Files.createFile(done);
    }
    return main;
  }

  private static void require(boolean met, String otherwise) {
    if ("true".equals(System.getenv("CI")) && !met) {
      throw new IllegalStateException(otherwise);
    }
    if (!met) {
      System.err.println("SKIPPED: the Azure store is NOT tested. " + otherwise);
    }
    Assumptions.assumeTrue(met, otherwise);
  }

  private static boolean run(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  /** Reads the server's output until it says where it listens. */
  private static String listening(Process process) throws Exception {
    CompletableFuture<String> address = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> scan(process, address));
    return address.get(60, TimeUnit.SECONDS);
  }

  private static void scan(Process process, CompletableFuture<String> address) {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      StringBuilder seen = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        Matcher matcher = LISTENING.matcher(line);
        if (matcher.find()) {
          address.complete(matcher.group(1));
        }
        seen.append(line).append('\n');
      }
      address.completeExceptionally(new IOException("azurite ended: " + seen));
    } catch (IOException gone) {
      address.completeExceptionally(gone);
    }
  }
}
