package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import io.quiver.remote.s3.S3TestServer;
import io.quiver.testkit.Await;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.Part;

/** The S3 endpoint as a command: a process of its own that signals end. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class GatewayCommandTest {
  private static final int PART = 5 << 20;
  private static final String KEY = "AKIDCOMMAND";
  private static final String SECRET = "a-secret-of-this-test-only";

  @TempDir private Path folder;

  private final byte[] bytes = new byte[2 * PART + 1000];
  private Path data;

  @BeforeEach
  void makeFolder() throws Exception {
    new Random(8).nextBytes(bytes);
    data = Files.createDirectory(folder.resolve("data"));
    Files.write(data.resolve("file"), bytes);
  }

  private Path keys(String name, String permissions) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, KEY + " " + SECRET + " tester - read:* write:*\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static S3Client client(JsonNode ready, String key, String secret) {
    return S3Client.builder()
        .endpointOverride(URI.create(ready.path("endpoint").asText()))
        .region(Region.EU_CENTRAL_1)
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(key, secret)))
        .overrideConfiguration(o -> o.retryStrategy(b -> b.maxAttempts(1)))
        .build();
  }

  private static S3Client client(JsonNode ready) {
    return client(ready, ready.path("access_key").asText(), ready.path("secret_key").asText());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void printsOneLineAndServesUntilASignalEndsIt(boolean interrupt) throws Exception {
    try (ChildProcess gateway =
        ChildProcess.start(folder, "gateway", "images=" + data, "--port", "0", "--json")) {
      JsonNode ready = gateway.readyLine();
      assertThat(ready.path("pid").asLong()).isPositive();
      assertThat(ready.path("endpoint").asText()).matches("http://127\\.0\\.0\\.1:\\d+");
      try (S3Client client = client(ready)) {
        assertThat(client.getObjectAsBytes(r -> r.bucket("images").key("file")).asByteArray())
            .isEqualTo(bytes);
        client.putObject(r -> r.bucket("images").key("new"), RequestBody.fromString("written"));
      }
      assertThat(data.resolve("new")).hasContent("written");
      assertThat(interrupt ? gateway.interrupt() : gateway.terminate()).as(gateway.err()).isZero();
      assertThat(gateway.restOfOutput()).isEmpty();
      assertThat(gateway.err()).doesNotContain("unexpected").doesNotContain("Exception");
    }
  }

  @Test
  void aSecondGatewayTakesTheBytesFromTheCache() throws Exception {
    try (Node node =
            Scene.make(Files.createDirectory(folder.resolve("scene")), 10, 3000)
                .cluster(2, 1 << 26);
        S3TestServer store = S3TestServer.start()) {
      store.put("file", bytes);
      Path keys = keys("keys", "rw-------");
      String[] cache = {"--cache", node.uri().toString()};
      try (ChildProcess first = overBucket(store, keys, cache)) {
        assertThat(metric(first.readyLine(), "store_bytes_total")).isEqualTo(bytes.length);
        Await.until("the cache has all three blocks", () -> blobs(node) >= 3);
        assertThat(first.terminate()).as(first.err()).isZero();
      }
      try (ChildProcess second = overBucket(store, keys, cache)) {
        JsonNode ready = second.readyLine();
        assertThat(metric(ready, "store_bytes_total")).isZero();
        assertThat(metric(ready, "cache_bytes_total")).isEqualTo(bytes.length);
        assertThat(second.terminate()).as(second.err()).isZero();
      }
    }
  }

  /** Reads the file through a gateway, and returns one of the gateway's counters. */
  private long metric(JsonNode ready, String name) throws Exception {
    try (S3Client client = client(ready, KEY, SECRET)) {
      assertThat(
              client.getObjectAsBytes(r -> r.bucket(S3TestServer.BUCKET).key("file")).asByteArray())
          .isEqualTo(bytes);
    }
    URI metrics = URI.create(ready.path("endpoint").asText() + "/metrics");
    try (InputStream text = metrics.toURL().openStream()) {
      String line = "quiver_s3_" + name + " ";
      return new String(text.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(each -> each.startsWith(line))
          .mapToLong(each -> Long.parseLong(each.substring(line.length())))
          .sum();
    }
  }

  private static long blobs(Node node) {
    Shell shell = Shell.of(node.uri().toString());
    return shell.run("stat", "--json").json().path("totals").path("blobs").asLong();
  }

  private ChildProcess overBucket(S3TestServer store, Path keys, String... more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "gateway",
                "s3://" + S3TestServer.BUCKET,
                "--s3-endpoint",
                store.endpoint().toString(),
                "--s3-region",
                "us-east-1",
                "--keys",
                keys.toString(),
                "--port",
                "0",
                "--json"));
    arguments.addAll(List.of(more));
    return ChildProcess.start(
        folder,
        Map.of("AWS_ACCESS_KEY_ID", S3TestServer.KEY, "AWS_SECRET_ACCESS_KEY", S3TestServer.SECRET),
        arguments.toArray(String[]::new));
  }

  @Test
  void uploadsInPartsOutliveAGatewayThatIsKilled() throws Exception {
    Path keys = keys("keys", "rw-------");
    try (S3TestServer store = S3TestServer.start()) {
      String kept;
      String abandoned;
      List<CompletedPart> parts = new ArrayList<>();
      try (ChildProcess first = overBucket(store, keys);
          S3Client client = client(first.readyLine(), KEY, SECRET)) {
        kept = begin(client, "kept");
        abandoned = begin(client, "abandoned");
        part(client, "abandoned", abandoned, 1, RequestBody.fromString("gone soon"));
        parts.add(part(client, "kept", kept, 1, body(0, PART)));
        RequestBody fatal =
            RequestBody.fromInputStream(new KillingStream(first, body(PART, PART), PART / 2), PART);
        assertThatThrownBy(() -> part(client, "kept", kept, 2, fatal))
            .isInstanceOf(SdkException.class);
      }
      try (ChildProcess second = overBucket(store, keys);
          S3Client client = client(second.readyLine(), KEY, SECRET)) {
        assertThat(
                client
                    .listParts(r -> r.bucket(S3TestServer.BUCKET).key("kept").uploadId(kept))
                    .parts())
            .extracting(Part::partNumber)
            .containsExactly(1);
        client.abortMultipartUpload(
            r -> r.bucket(S3TestServer.BUCKET).key("abandoned").uploadId(abandoned));
        parts.add(part(client, "kept", kept, 2, body(PART, PART)));
        parts.add(part(client, "kept", kept, 3, body(2 * PART, 1000)));
        client.completeMultipartUpload(r ->
            r.bucket(S3TestServer.BUCKET)
                .key("kept")
                .uploadId(kept)
                .multipartUpload(u -> u.parts(parts)));
        assertThat(
                client
                    .getObjectAsBytes(r -> r.bucket(S3TestServer.BUCKET).key("kept"))
                    .asByteArray())
            .isEqualTo(bytes);
        assertThat(client.listMultipartUploads(r -> r.bucket(S3TestServer.BUCKET)).uploads())
            .extracting(MultipartUpload::uploadId)
            .isEmpty();
        assertThat(second.terminate()).as(second.err()).isZero();
      }
    }
  }

  private static String begin(S3Client client, String key) {
    return client.createMultipartUpload(r -> r.bucket(S3TestServer.BUCKET).key(key)).uploadId();
  }

  private RequestBody body(int offset, int length) {
    return RequestBody.fromInputStream(new ByteArrayInputStream(bytes, offset, length), length);
  }

  private static CompletedPart part(
      S3Client client, String key, String upload, int number, RequestBody body) {
    String tag =
        client
            .uploadPart(
                r -> r.bucket(S3TestServer.BUCKET).key(key).uploadId(upload).partNumber(number),
                body)
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(tag).build();
  }

  /** Kills the gateway that receives it half way. */
  private static final class KillingStream extends InputStream {
    private final ChildProcess gateway;
    private final InputStream bytes;
    private int left;

    KillingStream(ChildProcess gateway, RequestBody body, int before) {
      this.gateway = gateway;
      this.bytes = body.contentStreamProvider().newStream();
      this.left = before;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (left > 0) {
        int count = bytes.read(target, offset, Math.min(length, left));
        left -= count;
        return count;
      }
      try {
        gateway.kill();
      } catch (Exception e) {
        throw new IOException(e);
      }
      return bytes.read(target, offset, length);
    }
  }

  @Test
  void refusesWithTheRemedy() throws Exception {
    Path other = Files.createDirectories(folder.resolve("other/data"));
    Path keys = keys("keys", "rw-------");
    Path open = keys("open", "rw-r--r--");
    String bucket = data.toString();
    refuses(2, "--help");
    refuses(4, "no such file", folder.resolve("missing").toString());
    refuses(2, "two buckets are called data; write other=", bucket, other.toString());
    refuses(2, "--freshness-s -1.0 makes no sense", bucket, "--freshness-s", "-1");
    refuses(2, "port 70000 does not exist", bucket, "--port", "70000");
    refuses(2, "chmod 600", bucket, "--keys", open.toString());
    refuses(2, "exclude each other", bucket, "--keys", keys.toString(), "--anonymous");
    refuses(4, "no readable file", bucket, "--keys", folder.resolve("none").toString());
    refuses(2, "needs --keys", bucket, "--host", "0.0.0.0");
    refuses(2, "--tls-cert", bucket, "--host", "0.0.0.0", "--keys", keys.toString());
    refuses(2, "belong together", bucket, "--tls-cert", keys.toString());
    try (ServerSocket taken = new ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      refuses(1, port, bucket, "--port", port);
    }
  }

  private static void refuses(int exit, String reason, String... arguments) {
    List<String> words = new ArrayList<>(List.of("gateway"));
    words.addAll(List.of(arguments));
    if (!words.contains("--port")) {
      words.addAll(List.of("--port", "0"));
    }
    Shell.Ended ended = Shell.plain().run(words.toArray(String[]::new));
    assertThat(ended.exit()).as(words + ": " + ended.err()).isEqualTo(exit);
    assertThat(ended.err()).as(words.toString()).contains(reason).hasLineCount(1);
    assertThat(ended.out()).isEmpty();
  }
}
