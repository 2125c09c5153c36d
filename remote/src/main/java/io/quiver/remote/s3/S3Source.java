package io.quiver.remote.s3;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.UserMetadata;
import io.quiver.remote.Versions;
import io.quiver.remote.retry.ContentRange;
import io.quiver.remote.retry.ObjectBody;
import io.quiver.remote.retry.ObjectSource;
import io.quiver.remote.retry.Refusals;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Reads the objects below a folder of an S3 bucket. */
final class S3Source implements ObjectSource {
  private static final String REMEDY =
      "check the credentials, the region and the bucket's policy, or read anonymously";

  /** Other services than Amazon's have been seen to list by UTF-16 units. */
  private static final int FOREIGN_WINDOW = 100_000;

  private final S3Client client;
  private final ObjectAddress folder;
  private final boolean foreign;
  private final Runnable shutdown;

  /**
   * @param foreign whether the service is another than Amazon's own
   * @param shutdown ends the requests under way
   */
  S3Source(S3Client client, ObjectAddress folder, boolean foreign, Runnable shutdown) {
    this.client = client;
    this.folder = folder;
    this.foreign = foreign;
    this.shutdown = shutdown;
  }

  @Override
  public int listingWindow() {
    return foreign ? FOREIGN_WINDOW : 1;
  }

  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    try {
      ListObjectsV2Response page = client.listObjectsV2(asked -> fill(asked, request));
      List<RemoteObject> objects =
          page.contents().stream()
              .filter(object -> object.key().length() > folder.path().length())
              .map(this::describe)
              .toList();
      List<String> groups =
          page.commonPrefixes().stream().map(group -> folder.name(group.prefix())).toList();
      return new ListingPage(
          objects, groups, page.isTruncated() ? page.nextContinuationToken() : null);
    } catch (SdkException failure) {
      throw translate(folder.toString(), failure);
    }
  }

  private void fill(ListObjectsV2Request.Builder asked, ListingRequest request) {
    String start = request.startAfter();
    asked
        .bucket(folder.container())
        .prefix(folder.key(request.prefix()))
        .delimiter(request.delimiter().isEmpty() ? null : request.delimiter())
        .startAfter(start.isEmpty() || request.token() != null ? null : folder.key(start))
        .continuationToken(request.token())
        .maxKeys(request.maxEntries())
        .encodingType(EncodingType.URL);
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    String key = folder.objectKey(name);
    try {
      HeadObjectResponse head =
          client.headObject(request -> request.bucket(folder.container()).key(key));
      RemoteObject object = describe(name, head.contentLength(), head.eTag(), head.lastModified());
      return UserMetadata.details(object, head.contentType(), head.metadata());
    } catch (SdkException failure) {
      throw translate(name, failure);
    }
  }

  @Override
  public ObjectBody open(String name, long offset, long length, String version) throws IOException {
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(folder.container())
            .key(folder.objectKey(name))
            .range(ContentRange.header(offset, length))
            .ifMatch(version.isEmpty() ? null : version)
            .build();
    try {
      ResponseInputStream<GetObjectResponse> answer = client.getObject(request);
      return body(name, offset, length, answer);
    } catch (SdkException failure) {
      throw translate(name, failure);
    }
  }

  @Override
  public String uri() {
    return folder.toString();
  }

  @Override
  public void close() {
    shutdown.run();
  }

  private static ObjectBody body(
      String name, long offset, long length, ResponseInputStream<GetObjectResponse> answer)
      throws IOException {
    GetObjectResponse head = answer.response();
    try {
      long sent = head.contentLength() == null ? -1 : head.contentLength();
      ContentRange range = ContentRange.of(name, head.contentRange(), sent, offset, length);
      RemoteObject object = describe(name, range.size(), head.eTag(), head.lastModified());
      ObjectDetails details = UserMetadata.details(object, head.contentType(), head.metadata());
      return new ObjectBody(answer, range.length(), details, answer::abort);
    } catch (IOException unusable) {
      answer.abort();
      throw unusable;
    }
  }

  private RemoteObject describe(S3Object object) {
    return describe(folder.name(object.key()), object.size(), object.eTag(), object.lastModified());
  }

  /** Listings tell the time to the millisecond, lookups to the second: the second counts. */
  private static RemoteObject describe(
      String name, long size, @Nullable String tag, @Nullable Instant modified) {
    return new RemoteObject(
        name,
        size,
        tag == null ? "" : Versions.quoted(tag),
        modified == null ? Instant.EPOCH : modified.truncatedTo(ChronoUnit.SECONDS));
  }

  private static IOException translate(String name, SdkException failure) {
    if (failure instanceof S3Exception refusal && refusal.statusCode() >= 300) {
      return Refusals.of(
          refusal.statusCode(), name, code(refusal), REMEDY, retryAfter(refusal), failure);
    }
    if (failure instanceof SdkClientException && isSetup(failure)) {
      return new IOException(
          "cannot reach S3 for '" + name + "': " + failure.getMessage() + "; " + REMEDY, failure);
    }
    return Refusals.unanswered(name, failure);
  }

  /** Returns true if credentials or region are missing: another attempt changes nothing. */
  private static boolean isSetup(SdkException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.contains("credentials") || message.contains("region");
  }

  private static String code(S3Exception refusal) {
    return refusal.awsErrorDetails() == null || refusal.awsErrorDetails().errorCode() == null
        ? ""
        : refusal.awsErrorDetails().errorCode();
  }

  private static Duration retryAfter(S3Exception refusal) {
    return refusal.awsErrorDetails() == null
        ? Duration.ZERO
        : refusal
            .awsErrorDetails()
            .sdkHttpResponse()
            .firstMatchingHeader("Retry-After")
            .map(Refusals::retryAfter)
            .orElse(Duration.ZERO);
  }
}
