package io.quiver.remote.s3;

import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.opendal.AsyncOperator;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/** The clients that are compared. */
enum S3Contender {
  /** A whole store of Quiver, with its retries and bounds. */
  QUIVER {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) throws IOException {
      S3Stores service = S3Stores.connect(config, credentials);
      RetryingStore store =
          new RetryingStore(service.source(new ObjectAddress("s3", BUCKET, "")), config);
      return (key, target) -> store.read(key, 0, ByteBuffer.wrap(target));
    }
  },
  SDK_APACHE5 {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) {
      return blocking(config, credentials, Apache5HttpClient.builder().maxConnections(64).build());
    }
  },
  SDK_URL_CONNECTION {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) {
      return blocking(config, credentials, UrlConnectionHttpClient.create());
    }
  },
  SDK_CRT {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) {
      return blocking(config, credentials, AwsCrtHttpClient.create());
    }
  },
  SDK_CRT_ASYNC {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) {
      return asynchronous(config, credentials, AwsCrtAsyncHttpClient.create());
    }
  },
  SDK_NETTY {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) {
      return asynchronous(config, credentials, NettyNioAsyncHttpClient.create());
    }
  },
  /** The JDK's client with requests that the SDK's signer has signed. */
  JDK_HTTP_CLIENT {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) {
      HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      URI endpoint = endpoint(config);
      AwsV4HttpSigner signer = AwsV4HttpSigner.create();
      return (key, target) -> {
        URI object = endpoint.resolve("/" + BUCKET + "/" + key);
        SdkHttpRequest plain =
            SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .uri(object)
                .putHeader("Range", range(target.length))
                .build();
        SdkHttpRequest signed =
            signer
                .sign(sign ->
                    sign.identity(credentials.resolveCredentials())
                        .request(plain)
                        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, REGION.id())
                        .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false))
                .request();
        HttpRequest.Builder request = HttpRequest.newBuilder(object);
        signed.forEachHeader((name, values) -> {
          if (!name.equalsIgnoreCase("host")) { // which this client sends by itself
            values.forEach(value -> request.header(name, value));
          }
        });
        HttpResponse<InputStream> answer =
            client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
          fill(body, target);
        }
      };
    }
  },
  OPENDAL {
    @Override
    Reader open(RemoteConfig config, AwsCredentialsProvider credentials) {
      Map<String, String> options = new HashMap<>();
      options.put("root", "/");
      options.put("bucket", BUCKET);
      options.put("endpoint", endpoint(config).toString());
      options.put("region", REGION.id());
      options.put("access_key_id", credentials.resolveCredentials().accessKeyId());
      options.put("secret_access_key", credentials.resolveCredentials().secretAccessKey());
      AsyncOperator operator = AsyncOperator.of("s3", options);
      return (key, target) -> {
        byte[] read = operator.read(key, 0, target.length).get();
        System.arraycopy(read, 0, target, 0, target.length);
      };
    }
  };

  private static final String BUCKET = S3TestServer.BUCKET;
  private static final Region REGION = Region.US_EAST_1;

  /** Fills an array with the beginning of an object. */
  interface Reader {
    void read(String key, byte[] target) throws Exception;
  }

  abstract Reader open(RemoteConfig config, AwsCredentialsProvider credentials)
      throws IOException;

  private static URI endpoint(RemoteConfig config) {
    return Objects.requireNonNull(config.s3().endpoint());
  }

  private static String range(int bytes) {
    return "bytes=0-" + (bytes - 1);
  }

  private static void fill(InputStream body, byte[] target) throws IOException {
    if (body.readNBytes(target, 0, target.length) < target.length) {
      throw new IOException("the answer is too short");
    }
  }

  private static GetObjectRequest request(String key, byte[] target) {
    return GetObjectRequest.builder()
        .bucket(BUCKET)
        .key(key)
        .range(range(target.length))
        .build();
  }

  private static Reader blocking(
      RemoteConfig config, AwsCredentialsProvider credentials, SdkHttpClient http) {
    S3Client client =
        S3Client.builder()
            .region(REGION)
            .endpointOverride(endpoint(config))
            .forcePathStyle(true)
            .credentialsProvider(credentials)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .httpClient(http)
            .build();
    return (key, target) -> {
      try (InputStream body = client.getObject(request(key, target))) {
        fill(body, target);
      }
    };
  }

  private static Reader asynchronous(
      RemoteConfig config, AwsCredentialsProvider credentials, SdkAsyncHttpClient http) {
    S3AsyncClient client =
        S3AsyncClient.builder()
            .region(REGION)
            .endpointOverride(endpoint(config))
            .forcePathStyle(true)
            .credentialsProvider(credentials)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .httpClient(http)
            .build();
    return (key, target) ->
        client
            .getObject(request(key, target), AsyncResponseTransformer.toBytes())
            .get()
            .asByteBuffer()
            .get(target);
  }
}
