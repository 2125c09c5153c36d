package io.quiver.remote.s3;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Signs requests without a body by Signature Version 4, with the key of a day kept: the SDK's own
 * signer takes as much processor time as all the rest of a request.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">Authenticating
 *     requests</a>
 */
final class RequestSignature {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String HMAC = "HmacSHA256";
  private static final String NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int DATE_CHARACTERS = 8;

  private final String region;
  private final String service;
  private volatile @Nullable DayKey known;

  /** The key of one secret on one day. */
  private record DayKey(String secret, String date, SecretKeySpec key) {}

  RequestSignature(String region, String service) {
    this.region = region;
    this.service = service;
  }

  /**
   * Returns the headers of a signed GET, all of which have to be sent.
   *
   * @param path as it is sent, encoded
   * @param headers to be signed, with {@code host} among them; names are in lower case
   */
  Map<String, String> sign(
      String path, Map<String, String> headers, AwsCredentialsIdentity credentials, Instant now) {
    String time = TIME.format(now);
    SortedMap<String, String> signed = new TreeMap<>(headers);
    signed.put("x-amz-content-sha256", NOTHING);
    signed.put("x-amz-date", time);
    if (credentials instanceof AwsSessionCredentialsIdentity session) {
      signed.put("x-amz-security-token", session.sessionToken());
    }
    String names = String.join(";", signed.keySet());
    String date = time.substring(0, DATE_CHARACTERS);
    String scope = date + "/" + region + "/" + service + "/aws4_request";
    try {
      String request = "GET\n" + path + "\n\n" + lines(signed) + "\n" + names + "\n" + NOTHING;
      String text = ALGORITHM + "\n" + time + "\n" + scope + "\n" + sha256(request);
      byte[] signature = hmac(key(credentials.secretAccessKey(), date), text);
      signed.put(
          "authorization",
          ALGORITHM
              + " Credential="
              + credentials.accessKeyId()
              + "/"
              + scope
              + ", SignedHeaders="
              + names
              + ", Signature="
              + HexFormat.of().formatHex(signature));
      return signed;
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("this Java has no " + HMAC + " or SHA-256", absent);
    }
  }

  private static String lines(SortedMap<String, String> headers) {
    StringBuilder lines = new StringBuilder();
    headers.forEach(
        (name, value) -> lines.append(name).append(':').append(value.trim()).append('\n'));
    return lines.toString();
  }

  private SecretKeySpec key(String secret, String date) throws GeneralSecurityException {
    DayKey day = known;
    if (day == null || !day.date.equals(date) || !day.secret.equals(secret)) {
      SecretKeySpec key =
          new SecretKeySpec(("AWS4" + secret).getBytes(StandardCharsets.UTF_8), HMAC);
      for (String part : List.of(date, region, service, "aws4_request")) {
        key = new SecretKeySpec(hmac(key, part), HMAC);
      }
      day = new DayKey(secret, date, key);
      known = day;
    }
    return day.key;
  }

  private static byte[] hmac(SecretKeySpec key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(HMAC);
    mac.init(key);
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String sha256(String text) throws GeneralSecurityException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
