package io.quiver.gateway.s3.payload;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.signature.Caller;
import io.quiver.gateway.s3.signature.SignatureCheck;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Compares a payload with everything its request says of it: the signed hash, Content-MD5, and
 * checksums in header fields or in a trailer.
 */
public final class ContentChecks {
  private static final String CHECKSUM = "x-amz-checksum-";
  private static final Map<String, Supplier<Sum>> SUMS =
      Map.of(
          "x-amz-checksum-crc32", () -> new CyclicSum(new CRC32(), Integer.BYTES),
          "x-amz-checksum-crc32c", () -> new CyclicSum(new CRC32C(), Integer.BYTES),
          "x-amz-checksum-crc64nvme", () -> new CyclicSum(new Crc64Nvme(), Long.BYTES),
          "x-amz-checksum-sha1", () -> new DigestSum(digest("SHA-1")),
          "x-amz-checksum-sha256", () -> new DigestSum(digest("SHA-256")));

  private final List<DigestCheck> digests = new ArrayList<>(2);
  private final Map<String, Sum> sums = new HashMap<>();
  private final Map<String, byte[]> expectedSums = new HashMap<>();
  private final Map<String, String> given = new HashMap<>();

  /** Compares the hex digits of a digest. */
  private record DigestCheck(MessageDigest digest, String expected, S3Code code, String message) {}

  /** A checksum of the bytes so far. */
  private sealed interface Sum {
    void update(byte[] bytes, int offset, int count);

    byte[] value();
  }

  /** A checksum whose value is a number, written from its highest byte on. */
  private record CyclicSum(Checksum checksum, int length) implements Sum {
    @Override
    public void update(byte[] bytes, int offset, int count) {
      checksum.update(bytes, offset, count);
    }

    @Override
    public byte[] value() {
      byte[] value = new byte[length];
      for (int i = 0; i < length; i++) {
        value[i] = (byte) (checksum.getValue() >>> (8 * (length - 1 - i)));
      }
      return value;
    }
  }

  private record DigestSum(MessageDigest digest) implements Sum {
    @Override
    public void update(byte[] bytes, int offset, int count) {
      digest.update(bytes, offset, count);
    }

    @Override
    public byte[] value() {
      return digest.digest();
    }
  }

  private ContentChecks() {}

  /** Collects what a request says of its payload. */
  static ContentChecks of(S3Request request, Caller caller) throws S3Failure {
    ContentChecks checks = new ContentChecks();
    if (!caller.contentHash().isEmpty()) {
      checks.digests.add(
          new DigestCheck(
              digest("SHA-256"),
              caller.contentHash(),
              S3Code.CONTENT_HASH_MISMATCH,
              "The provided 'x-amz-content-sha256' header does not match what was computed."));
    }
    String md5 = request.field("Content-MD5");
    if (md5 != null) {
      checks.digests.add(
          new DigestCheck(
              digest("MD5"),
              HexFormat.of().formatHex(base64("Content-MD5", md5, 16)),
              S3Code.BAD_DIGEST,
              "The Content-MD5 you specified did not match what we received."));
    }
    for (Map.Entry<String, Supplier<Sum>> entry : SUMS.entrySet()) {
      String value = request.field(entry.getKey());
      if (value != null) {
        checks.sums.put(entry.getKey(), entry.getValue().get());
        checks.expect(entry.getKey(), value);
      }
    }
    checks.announce(request.field("x-amz-trailer"));
    return checks;
  }

  /** Prepares for the checksums that a trailer will state. */
  private void announce(@Nullable String names) {
    for (String name : names == null ? new String[0] : names.split(",", -1)) {
      String lower = name.strip().toLowerCase(Locale.ROOT);
      Supplier<Sum> sum = SUMS.get(lower);
      if (sum != null) {
        sums.put(lower, sum.get());
      }
    }
  }

  private void expect(String name, String value) throws S3Failure {
    expectedSums.put(name, base64(name, value, 0));
    given.put(name, value);
  }

  /** Takes the next bytes of the payload. */
  void update(byte[] bytes, int offset, int count) {
    for (DigestCheck check : digests) {
      check.digest.update(bytes, offset, count);
    }
    for (Sum sum : sums.values()) {
      sum.update(bytes, offset, count);
    }
  }

  /**
   * Takes the fields of a trailer.
   *
   * @throws S3Failure if one states a checksum that was not announced, so that nothing counted it
   */
  void trailer(Map<String, String> fields) throws S3Failure {
    for (Map.Entry<String, String> field : fields.entrySet()) {
      if (field.getKey().startsWith(CHECKSUM)) {
        if (!sums.containsKey(field.getKey())) {
          throw S3Failure.of(
              S3Code.INVALID_REQUEST,
              "The trailer states " + field.getKey() + ", which x-amz-trailer does not announce.");
        }
        expect(field.getKey(), field.getValue());
      }
    }
  }

  /** Requires that the whole payload is as the request says. */
  void verify() throws S3Failure {
    for (DigestCheck check : digests) {
      String found = HexFormat.of().formatHex(check.digest.digest());
      if (!SignatureCheck.same(check.expected, found)) {
        throw S3Failure.of(check.code, check.message);
      }
    }
    for (Map.Entry<String, Sum> sum : sums.entrySet()) {
      byte[] expected = expectedSums.get(sum.getKey());
      if (expected == null) {
        throw S3Failure.of(
            S3Code.MALFORMED_XML, "The trailer lacks the announced " + sum.getKey() + ".");
      }
      if (!MessageDigest.isEqual(sum.getValue().value(), expected)) {
        throw S3Failure.of(
            S3Code.BAD_DIGEST,
            "The " + sum.getKey() + " you specified did not match what we received.");
      }
    }
  }

  /** Returns the checksums that were stated and found right, as fields of the answer. */
  Map<String, String> verified() {
    return Map.copyOf(given);
  }

  private static byte[] base64(String name, String value, int length) throws S3Failure {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(value);
    } catch (IllegalArgumentException e) {
      bytes = new byte[0];
    }
    if (bytes.length == 0 || (length > 0 && bytes.length != length)) {
      throw S3Failure.of(S3Code.INVALID_DIGEST, "The " + name + " you specified is not valid.");
    }
    return bytes;
  }

  /** Returns a digest that every Java platform has. */
  static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + name, e);
    }
  }

  /** Returns the answer to a body that ends too early. */
  static S3Failure incomplete() {
    return S3Failure.of(
        S3Code.INCOMPLETE_BODY,
        "You did not provide the number of bytes specified by the Content-Length HTTP header.");
  }
}
