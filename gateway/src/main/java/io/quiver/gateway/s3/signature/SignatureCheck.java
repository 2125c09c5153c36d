package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.PercentCoding;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.internal.signer.CredentialScope;
import software.amazon.awssdk.http.auth.aws.internal.signer.RollingSigner;
import software.amazon.awssdk.http.auth.aws.internal.signer.V4Properties;
import software.amazon.awssdk.http.auth.aws.internal.signer.V4RequestSigner;
import software.amazon.awssdk.http.auth.aws.internal.signer.V4RequestSigningResult;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Signs a request anew with the secret of the key it names, through the signer of the AWS SDK, and
 * compares. The signer keeps the signing keys it derives, a bounded number of them.
 */
public final class SignatureCheck {
  /** Fields that proxies change; the signer leaves them out of every signature. */
  private static final Set<String> NEVER_SIGNED =
      Set.of(
          "connection",
          "x-amzn-trace-id",
          "user-agent",
          "expect",
          "transfer-encoding",
          "x-forwarded-for");

  private static final String EXTENSION = "x-amz-";
  private static final String CONTENT_HASH = "x-amz-content-sha256";

  private final S3Request request;
  private final SignatureParts parts;
  private final CredentialScope scope;

  SignatureCheck(S3Request request, SignatureParts parts) {
    this.request = request;
    this.parts = parts;
    this.scope = new CredentialScope(parts.region(), "s3", parts.signedAt());
  }

  /**
   * Compares the signature with the one that the key makes.
   *
   * @param contentHash the hash of the payload, or the word that stands for it
   * @return what signs the chunks of the payload
   */
  ChunkSigner verify(AccessKey key, String contentHash) throws S3Failure {
    if (!scope.getDate().equals(parts.date())) {
      throw S3Failure.of(
          S3Code.AUTHORIZATION_HEADER_MALFORMED,
          "The day of the Credential is not that of the request's time.");
    }
    V4Properties properties =
        V4Properties.builder()
            .credentials(AwsCredentialsIdentity.create(key.id(), key.secret().reveal()))
            .credentialScope(scope)
            .signingClock(Clock.fixed(parts.signedAt(), ZoneOffset.UTC))
            .doubleUrlEncode(false)
            .normalizePath(false)
            .build();
    V4RequestSigningResult expected =
        V4RequestSigner.create(properties, contentHash).sign(signedPart());
    if (!same(expected.getSignature(), parts.signature())) {
      throw S3Failure.of(
              S3Code.SIGNATURE_DOES_NOT_MATCH,
              "The request signature we calculated does not match the signature you provided."
                  + " Check your key and signing method.")
          .with(
              Map.of(
                  "AWSAccessKeyId",
                  key.id(),
                  "SignatureProvided",
                  parts.signature(),
                  "CanonicalRequest",
                  expected.getCanonicalRequest().getCanonicalRequestString()));
    }
    return new ChunkSigner(
        new RollingSigner(expected.getSigningKey(), expected.getSignature()), scope);
  }

  /** Compares in a time that does not tell how much of them agrees. */
  public static boolean same(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.UTF_8));
  }

  private SdkHttpRequest.Builder signedPart() throws S3Failure {
    SdkHttpRequest.Builder part =
        SdkHttpRequest.builder()
            .method(method())
            .protocol("https")
            .host("signed")
            .encodedPath(PercentCoding.encodePath(request.path()));
    Map<String, List<String>> query =
        parts.isPresigned()
            ? request.query().without(SignatureParts.SIGNATURE)
            : request.query().without("");
    query.forEach(part::putRawQueryParameter);
    signedFields().forEach(part::putHeader);
    return part;
  }

  private SdkHttpMethod method() throws S3Failure {
    try {
      return SdkHttpMethod.fromValue(request.method());
    } catch (IllegalArgumentException e) {
      throw S3Failure.of(
          S3Code.METHOD_NOT_ALLOWED, "The method is not allowed against this resource.");
    }
  }

  /**
   * Returns the fields that the signature covers.
   *
   * @throws S3Failure if it leaves out one that changes what the request means
   */
  private Map<String, List<String>> signedFields() throws S3Failure {
    Set<String> signed = new HashSet<>(parts.signedFields());
    Map<String, List<String>> fields = new TreeMap<>();
    Set<String> unsigned = new HashSet<>();
    request
        .exchange()
        .fields((name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (signed.contains(lower)) {
            fields.computeIfAbsent(lower, _ -> new ArrayList<>(1)).add(value);
          } else if (lower.startsWith(EXTENSION) && !isHarmless(lower, value)) {
            unsigned.add(lower);
          }
        });
    if (!unsigned.isEmpty()) {
      throw S3Failure.of(
              S3Code.ACCESS_DENIED,
              "There were headers present in the request which were not signed")
          .with(Map.of("HeadersNotSigned", String.join(", ", unsigned)));
    }
    for (String name : signed) {
      if (NEVER_SIGNED.contains(name)) {
        throw S3Failure.of(
            S3Code.INVALID_REQUEST,
            "The signature covers the header " + name + ", which proxies change; leave it out.");
      }
      if (!fields.containsKey(name)) {
        fields.put(name, List.of(""));
      }
    }
    return fields;
  }

  /** Returns true for what presigned requests say although it is so without saying. */
  private boolean isHarmless(String name, String value) {
    return name.equals(CONTENT_HASH)
        && parts.isPresigned()
        && value.equals(PayloadKind.UNSIGNED.text());
  }
}
