package io.quiver.gateway.s3;

import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.S3Config;
import io.quiver.remote.retry.RetryingStore;
import io.quiver.remote.s3.S3Stores;
import java.io.IOException;
import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The user's own S3 service behind the endpoint, in this process, with one bucket. */
final class UpstreamS3 implements AutoCloseable {
  static final String BUCKET = "real-bucket";

  private final S3Proxy proxy;
  private final S3Stores admin;

  private UpstreamS3() throws Exception {
    proxy =
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, "the-key", "the-secret")
            .blobStore(new TransientNio2BlobStore())
            .build();
    proxy.start();
    admin = connect();
    admin.client().createBucket(request -> request.bucket(BUCKET));
  }

  static UpstreamS3 start() throws Exception {
    return new UpstreamS3();
  }

  RemoteConfig config() {
    return RemoteConfig.DEFAULT.withS3(
        S3Config.DEFAULT.withRegion("us-east-1").withEndpoint(endpoint()));
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  /** Returns a connection with the service's own credentials; the caller closes it. */
  S3Stores connect() throws IOException {
    return S3Stores.connect(
        config(),
        StaticCredentialsProvider.create(AwsBasicCredentials.create("the-key", "the-secret")));
  }

  /** Opens a folder of a bucket as a store. */
  RemoteStore store(String address) throws IOException {
    return new RetryingStore(connect().source(ObjectAddress.parse(address).asFolder()), config());
  }

  S3Client client() {
    return admin.client();
  }

  void put(String key, byte[] content) {
    client().putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromBytes(content));
  }

  @Override
  public void close() throws IOException {
    admin.close();
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IOException("the S3 service did not stop", e);
    }
  }
}
