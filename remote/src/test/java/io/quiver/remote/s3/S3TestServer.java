package io.quiver.remote.s3;

import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.S3Config;
import io.quiver.remote.retry.RetryingStore;
import io.quiver.testkit.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;

/** An S3 service in this process, with one bucket. */
public final class S3TestServer implements AutoCloseable {
  /** The name of the bucket. */
  public static final String BUCKET = "bucket";

  /** The access key that signatures are checked against. */
  public static final String KEY = "the-key";

  /** The secret of the key. */
  public static final String SECRET = "the-secret";

  private final S3Proxy proxy;
  private final S3Stores admin;
  private final boolean open;

  private final @Nullable TestCertificate certificate;

  private S3TestServer(S3Proxy.Builder builder, boolean open, @Nullable TestCertificate certificate)
      throws Exception {
    this.open = open;
    this.certificate = certificate;
    this.proxy = builder.blobStore(new TransientNio2BlobStore()).build();
    proxy.start();
    this.admin = S3Stores.connect(config(), keys(KEY, SECRET));
    admin.client().createBucket(request -> request.bucket(BUCKET));
  }

  /** Returns a server that checks signatures. */
  public static S3TestServer start() throws Exception {
    return new S3TestServer(
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, KEY, SECRET),
        false,
        null);
  }

  /** Returns a server that lets anybody read. */
  static S3TestServer startOpen() throws Exception {
    return new S3TestServer(
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.NONE, "", ""),
        true,
        null);
  }

  /** Returns a server that anybody may read but whose certificate nobody knows. */
  static S3TestServer startTls(TestCertificate certificate) throws Exception {
    return new S3TestServer(
        S3Proxy.builder()
            .secureEndpoint(URI.create("https://127.0.0.1:0"))
            .keyStore(certificate.keystore().toString(), TestCertificate.PASSWORD)
            .awsAuthentication(AuthenticationType.NONE, "", ""),
        true,
        certificate);
  }

  static AwsCredentialsProvider keys(String key, String secret) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(key, secret));
  }

  /** Returns where it listens. */
  public URI endpoint() {
    return URI.create(
        certificate == null
            ? "http://127.0.0.1:" + proxy.getPort()
            : "https://127.0.0.1:" + proxy.getSecurePort());
  }

  RemoteConfig config() {
    S3Config s3 =
        S3Config.DEFAULT.withEndpoint(endpoint()).withRegion("us-east-1").withAnonymous(open);
    RemoteConfig config = RemoteConfig.DEFAULT.withS3(s3);
    return certificate == null
        ? config
        : config.withCertificateAuthority(certificate.certificate());
  }

  /** Returns a store as a user with the right credentials sees it. */
  public RemoteStore store(String folder) throws IOException {
    return store(folder, open ? AnonymousCredentialsProvider.create() : keys(KEY, SECRET));
  }

  RemoteStore store(String folder, AwsCredentialsProvider credentials) throws IOException {
    S3Stores service = S3Stores.connect(config(), credentials);
    return new RetryingStore(service.source(new ObjectAddress("s3", BUCKET, folder)), config());
  }

  /** Puts an object into the bucket. */
  public void put(String key, byte[] bytes) {
    admin
        .client()
        .putObject(request -> request.bucket(BUCKET).key(key), RequestBody.fromBytes(bytes));
  }

  void put(String key, byte[] bytes, String contentType, Map<String, String> metadata) {
    admin
        .client()
        .putObject(
            request -> request.bucket(BUCKET).key(key).contentType(contentType).metadata(metadata),
            RequestBody.fromBytes(bytes));
  }

  void delete(String key) {
    admin.client().deleteObject(request -> request.bucket(BUCKET).key(key));
  }

  void putAll(String folder, Map<String, byte[]> objects) {
    objects.entrySet().parallelStream()
        .forEach(object -> put(folder + object.getKey(), object.getValue()));
  }

  @Override
  public void close() {
    admin.close();
    try {
      proxy.stop();
    } catch (Exception failure) {
      throw new IllegalStateException("the S3 server did not stop", failure);
    }
  }
}
