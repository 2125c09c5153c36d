package io.quiver.remote.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.remote.direct.Origin;
import io.quiver.testkit.SeededRuns;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Signatures are those of the SDK's own signer. */
final class RequestSignatureTest {
  private static final String CHARACTERS = "abcXYZ019-._~/ +&=?%#'()*!,;:@$[]äß漢";

  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder("k");
    for (int i = random.nextInt(most); i > 0; i--) {
      text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return text.append('k').toString();
  }

  private static String theirs(
      SdkHttpRequest request, AwsCredentialsIdentity credentials, Instant now) {
    return AwsV4HttpSigner.create()
        .sign(sign ->
            sign.identity(credentials)
                .request(request)
                .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-west-1")
                .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false)
                .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC)))
        .request()
        .firstMatchingHeader("Authorization")
        .orElseThrow();
  }

  @Test
  void signaturesAreThoseOfTheSdk() {
    SeededRuns.run(
        200,
        random -> {
          RequestSignature signature = new RequestSignature("eu-west-1", "s3");
          for (int i = 0; i < 3; i++) {
            AwsCredentialsIdentity credentials =
                random.nextBoolean()
                    ? AwsBasicCredentials.create("key", text(random, 40))
                    : AwsSessionCredentials.create("key", text(random, 40), "a/session+token==");
            Instant now = Instant.ofEpochSecond(random.nextLong(0, 4_000_000_000L));
            String path =
                new ObjectRoute(new Origin("host", 1, false), "/b/", null, null)
                    .path(text(random, 30));
            Map<String, String> headers =
                Map.of("host", "host:1", "range", "bytes=0-9", "if-match", "\"tag\"");
            SdkHttpRequest.Builder request =
                SdkHttpRequest.builder()
                    .method(SdkHttpMethod.GET)
                    .uri(URI.create("http://host:1"))
                    .encodedPath(path);
            headers.forEach(request::putHeader);
            assertThat(signature.sign(path, headers, credentials, now).get("authorization"))
                .as(path)
                .isEqualTo(theirs(request.build(), credentials, now));
          }
        });
  }
}
