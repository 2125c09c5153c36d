package io.quiver.remote.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.remote.direct.Origin;
import java.net.URI;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Only a way that others can follow is taken from a request of the SDK. */
final class ObjectRouteTest {
  private static final String SIGNED =
      "AWS4-HMAC-SHA256 Credential=AKID/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=0";

  private static SdkHttpRequest request(String uri, Consumer<SdkHttpRequest.Builder> change) {
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(URI.create(uri))
            .putHeader("Host", "as the uri says")
            .putHeader("X-Amz-Date", "20260101T000000Z")
            .putHeader("Authorization", SIGNED);
    change.accept(request);
    return request.build();
  }

  private static final String VIRTUAL = "https://bucket.s3.eu-west-1.amazonaws.com/a%20b/c";

  @Test
  void bucketsAreInTheHostOrInThePath() {
    Origin amazon = new Origin("bucket.s3.eu-west-1.amazonaws.com", 443, true);
    ObjectRoute virtual = new ObjectRoute(amazon, "/", "eu-west-1", "s3");
    assertThat(ObjectRoute.of(request(VIRTUAL, r -> {}), "a b/c")).hasValue(virtual);
    assertThat(virtual.path("ä/50%")).isEqualTo("/%C3%A4/50%25");
    assertThat(virtual.origin().hostHeader()).isEqualTo("bucket.s3.eu-west-1.amazonaws.com");
    Origin own = new Origin("::1", 9000, false);
    ObjectRoute inPath = new ObjectRoute(own, "/bucket/", "eu-west-1", "s3");
    assertThat(ObjectRoute.of(request("http://[::1]:9000/bucket/x", r -> {}), "x"))
        .hasValue(inPath);
    assertThat(own.hostHeader()).isEqualTo("[::1]:9000");
  }

  @Test
  void requestsThatAreNotSignedShowAWayWithoutSignatures() {
    assertThat(ObjectRoute.of(request(VIRTUAL, r -> r.removeHeader("Authorization")), "a b/c"))
        .hasValueSatisfying(route -> assertThat(route.region()).isNull());
  }

  @Test
  void otherKindsOfRequestsShowNone() {
    assertThat(ObjectRoute.of(request(VIRTUAL, r -> {}), "other")).isEmpty();
    assertThat(ObjectRoute.of(request(VIRTUAL, r -> r.method(SdkHttpMethod.HEAD)), "a b/c"))
        .isEmpty();
    assertThat(
            ObjectRoute.of(
                request(VIRTUAL, r -> r.putRawQueryParameter("versionId", "7")), "a b/c"))
        .isEmpty();
    assertThat(
            ObjectRoute.of(
                request(VIRTUAL, r -> r.putHeader("x-amz-s3session-token", "t")), "a b/c"))
        .isEmpty();
    assertThat(
            ObjectRoute.of(
                request(VIRTUAL, r -> r.putHeader("Authorization", SIGNED.replace("4-", "4A-"))),
                "a b/c"))
        .isEmpty();
  }
}
