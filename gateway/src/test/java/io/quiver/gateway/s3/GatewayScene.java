package io.quiver.gateway.s3;

import io.quiver.gateway.door.StoreDoor;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.gateway.s3.store.FolderWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.gateway.s3.store.S3Writes;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.Secret;
import io.quiver.remote.file.FileStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** An endpoint with two buckets: {@code data} in another S3 service, {@code files} in a folder. */
final class GatewayScene implements AutoCloseable {
  static final String KEY = "AKIDQUIVER";
  static final String SECRET = "a-secret-that-nobody-guesses";
  static final String DATA = "data";
  static final String FILES = "files";

  final UpstreamS3 upstream;
  final Path folder;
  final S3Gateway gateway;
  private final List<AutoCloseable> parts = new ArrayList<>();

  private GatewayScene(Path folder, UnaryOperator<GatewayConfig> change, AccessKeys keys)
      throws Exception {
    this.folder = Files.createDirectories(folder.resolve("files"));
    this.upstream = UpstreamS3.start();
    parts.add(upstream);
    this.gateway = startGateway(change, keys, InstantSource.system());
    parts.add(gateway);
  }

  static GatewayScene start(Path folder) throws Exception {
    return start(folder, UnaryOperator.identity(), ownKey());
  }

  static GatewayScene start(Path folder, UnaryOperator<GatewayConfig> change, AccessKeys keys)
      throws Exception {
    return new GatewayScene(folder, change, keys);
  }

  static AccessKeys ownKey() {
    return AccessKeys.of(new AccessKeys.KeyPair(KEY, Secret.of(SECRET)));
  }

  /** Starts another endpoint over the same stores; the caller closes it. */
  S3Gateway startGateway(UnaryOperator<GatewayConfig> change, AccessKeys keys, InstantSource clock)
      throws IOException {
    GatewayConfig config =
        change.apply(
            GatewayConfig.on(
                "127.0.0.1",
                0,
                Map.of(DATA, "s3://" + UpstreamS3.BUCKET + "/root/", FILES, folder.toString()),
                keys));
    return S3Gateway.start(config, this::open, clock);
  }

  private OpenStore open(String address, String profile) throws IOException {
    if (address.startsWith("s3:")) {
      return new OpenStore(
          new StoreDoor(upstream.store(address)),
          new S3Writes(upstream.connect(), ObjectAddress.parse(address)));
    }
    Path path = Path.of(address);
    return new OpenStore(new StoreDoor(FileStore.open(path)), new FolderWrites(path));
  }

  /** Puts an object behind the bucket {@code data}. */
  void put(String key, byte[] content) {
    upstream.put("root/" + key, content);
  }

  S3Client client() {
    return client(KEY, SECRET);
  }

  /** Returns a client of the endpoint with these keys; the scene closes it. */
  S3Client client(String key, String secret) {
    S3Client client = builder(key, secret).build();
    parts.add(client);
    return client;
  }

  /** Returns the beginnings of a client; whoever builds it closes it. */
  S3ClientBuilder builder(String key, String secret) {
    return S3Client.builder()
        .endpointOverride(gateway.uri())
        .region(Region.EU_CENTRAL_1)
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(key, secret)));
  }

  S3Presigner presigner() {
    S3Presigner presigner =
        S3Presigner.builder()
            .endpointOverride(gateway.uri())
            .region(Region.EU_CENTRAL_1)
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, SECRET)))
            .build();
    parts.add(presigner);
    return presigner;
  }

  URI uri(String path) {
    return gateway.uri().resolve(path);
  }

  static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    for (AutoCloseable part : parts.reversed()) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IOException("a part of the scene did not close", e);
      }
    }
  }
}
