package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Buckets in the name of the host, as clients address them unless they are told otherwise. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostBucketsTest {
  private static final String DOMAIN = "s3.example.com";

  private GatewayScene scene;
  private SdkHttpClient http;
  private S3Client client;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    scene =
        GatewayScene.start(
            folder,
            config -> config.withDomains(List.of("other.example.org", "S3.Example.com")),
            GatewayScene.ownKey());
    scene.put("data/a b", bytes("in a folder called like the bucket"));
    scene.put("top", bytes("top"));
    http = Apache5HttpClient.builder().dnsResolver(new AllHere()).build();
    client =
        S3Client.builder()
            .httpClient(http)
            .endpointOverride(endpoint())
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(credentials())
            .build();
  }

  @AfterAll
  void close() throws IOException {
    client.close();
    http.close();
    scene.close();
  }

  /** Finds every host on this machine. */
  private static final class AllHere implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) {
      return new InetAddress[] {InetAddress.getLoopbackAddress()};
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  private URI endpoint() {
    return URI.create("http://" + DOMAIN + ":" + scene.gateway.address().getPort());
  }

  private static StaticCredentialsProvider credentials() {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(GatewayScene.KEY, GatewayScene.SECRET));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void objectsAreReadListedWrittenAndDeleted() {
    assertThat(client.getObjectAsBytes(r -> r.bucket("data").key("data/a b")).asUtf8String())
        .isEqualTo("in a folder called like the bucket");
    assertThat(client.headObject(r -> r.bucket("data").key("top")).contentLength()).isEqualTo(3);
    client.putObject(r -> r.bucket("data").key("data/data/new"), RequestBody.fromString("written"));
    assertThat(client.listObjectsV2(r -> r.bucket("data").prefix("data/data/")).contents())
        .extracting(S3Object::key)
        .containsExactly("data/data/new");
    client.copyObject(r ->
        r.sourceBucket("data")
            .sourceKey("data/data/new")
            .destinationBucket("files")
            .destinationKey("copied"));
    assertThat(client.getObjectAsBytes(r -> r.bucket("files").key("copied")).asUtf8String())
        .isEqualTo("written");
    client.deleteObject(r -> r.bucket("data").key("data/data/new"));
    client.deleteObject(r -> r.bucket("files").key("copied"));
    assertThat(client.listObjectsV2(r -> r.bucket("data").prefix("data/data/")).contents())
        .isEmpty();
  }

  @Test
  void theDomainItselfIsTheService() {
    assertThat(client.listBuckets().buckets())
        .extracting(Bucket::name)
        .containsExactly("data", "files");
    assertThatThrownBy(() -> client.listObjectsV2(r -> r.bucket("nobody")))
        .isInstanceOf(NoSuchBucketException.class);
  }

  @Test
  void bucketsInThePathWorkBesideThem() {
    assertThat(scene.client().getObjectAsBytes(r -> r.bucket("data").key("top")).asUtf8String())
        .isEqualTo("top");
  }

  @Test
  void aPresignedAddressIsGoodForItsOwnHostOnly() throws Exception {
    String target;
    try (S3Presigner presigner =
        S3Presigner.builder()
            .endpointOverride(endpoint())
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(credentials())
            .build()) {
      URI signed =
          presigner
              .presignGetObject(r ->
                  r.signatureDuration(Duration.ofMinutes(5))
                      .getObjectRequest(g -> g.bucket("data").key("top")))
              .url()
              .toURI();
      assertThat(signed.getHost()).isEqualTo("data." + DOMAIN);
      target = signed.getRawPath() + "?" + signed.getRawQuery();
    }
    String port = ":" + scene.gateway.address().getPort();
    assertThat(get("data." + DOMAIN + port, target)).startsWith("HTTP/1.1 200").endsWith("top");
    assertThat(get("files." + DOMAIN + port, target)).contains("SignatureDoesNotMatch");
    assertThat(get("data.other.example.org" + port, target)).contains("SignatureDoesNotMatch");
  }

  @Test
  void aHostThatOnlyEndsAlikeNamesNoBucket() throws Exception {
    // The path names the bucket then.
    assertThat(get("datas3.example.com", "/nobody/top")).contains("AccessDenied");
    assertThat(get("DATA.S3.EXAMPLE.COM:80", "/top"))
        .contains("AccessDenied")
        .contains("<Resource>/top</Resource>");
  }

  /** Asks for a target of a host and returns the whole answer. */
  private String get(String host, String target) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), scene.gateway.address().getPort())) {
      String head =
          "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      return answer.toString(StandardCharsets.UTF_8);
    }
  }
}
