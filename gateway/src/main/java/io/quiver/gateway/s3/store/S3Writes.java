package io.quiver.gateway.s3.store;

import io.quiver.gateway.s3.message.ObjectTag;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Time;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.s3.S3Stores;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResult;
import software.amazon.awssdk.services.s3.model.CopyPartResult;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Passes writes on to another S3 service: streamed, signed anew by the SDK with the service's own
 * credentials, and never repeated, because a client's bytes come only once.
 */
public final class S3Writes implements ObjectWrites {
  private static final long LEAST_BYTES_PER_SECOND = 64 << 10;
  private static final Duration GRACE = Duration.ofMinutes(2);
  private static final Duration ASSEMBLY = Duration.ofMinutes(15);

  private final S3Stores stores;
  private final ObjectAddress folder;

  /** Makes the writes of a folder; closes the connection with itself. */
  public S3Writes(S3Stores stores, ObjectAddress folder) {
    this.stores = stores;
    this.folder = folder;
  }

  /** A call of the SDK. */
  @FunctionalInterface
  private interface Call<T> {
    T run(S3Client client) throws IOException;
  }

  private <T> T call(Call<T> call) throws IOException, S3Failure {
    try {
      return call.run(stores.client());
    } catch (S3Exception refusal) {
      throw translate(refusal);
    } catch (SdkException failure) {
      throw new IOException("the store did not take it: " + failure.getMessage(), failure);
    }
  }

  private static S3Failure translate(S3Exception refusal) {
    AwsErrorDetails details = refusal.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    String message = details == null ? null : details.errorMessage();
    if (refusal.statusCode() == 403 || refusal.statusCode() == 401) {
      // Codes such as SignatureDoesNotMatch would blame the client's keys for the endpoint's.
      return S3Failure.of(
          S3Code.ACCESS_DENIED,
          "The store denies this with the credentials of the endpoint: " + code + ", " + message);
    }
    int status = refusal.statusCode() < 300 ? 500 : refusal.statusCode();
    return S3Failure.of(
        status,
        Objects.requireNonNullElse(code, S3Code.INTERNAL_ERROR.text()),
        Objects.requireNonNullElse(message, "The store refused with status " + status));
  }

  private static AwsRequestOverrideConfiguration within(Duration time) {
    return AwsRequestOverrideConfiguration.builder()
        .apiCallTimeout(time)
        .apiCallAttemptTimeout(time)
        .build();
  }

  /** Returns the time that content may take, as slowly as the endpoint's own clients may send. */
  private static Duration patience(long bytes) {
    return GRACE.plusSeconds(bytes / LEAST_BYTES_PER_SECOND);
  }

  private static RequestBody body(Content content) {
    return RequestBody.fromInputStream(content.bytes(), content.length());
  }

  @Override
  public String put(String name, Description description, Content content)
      throws IOException, S3Failure {
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(folder.container())
            .key(folder.objectKey(name))
            .contentLength(content.length())
            .metadata(description.metadata())
            .cacheControl(description.field("cache-control"))
            .contentDisposition(description.field("content-disposition"))
            .contentEncoding(description.field("content-encoding"))
            .contentLanguage(description.field("content-language"))
            .contentType(description.field("content-type"))
            .expires(time(description.field("expires")))
            .ifMatch(description.field("if-match"))
            .ifNoneMatch(description.field("if-none-match"))
            .acl(description.field("x-amz-acl"))
            .serverSideEncryption(description.field("x-amz-server-side-encryption"))
            .ssekmsKeyId(description.field("x-amz-server-side-encryption-aws-kms-key-id"))
            .storageClass(description.field("x-amz-storage-class"))
            .tagging(description.field("x-amz-tagging"))
            .overrideConfiguration(within(patience(content.length())));
    return tag(call(client -> client.putObject(request.build(), body(content))).eTag());
  }

  @Override
  public void delete(String name) throws IOException, S3Failure {
    String key = folder.objectKey(name);
    call(client -> client.deleteObject(r -> r.bucket(folder.container()).key(key)));
  }

  @Override
  public Copied copy(String source, String version, String name, @Nullable Description replaced)
      throws IOException, S3Failure {
    CopyObjectRequest.Builder request =
        CopyObjectRequest.builder()
            .sourceBucket(folder.container())
            .sourceKey(folder.objectKey(source))
            .copySourceIfMatch(version.isEmpty() ? null : version)
            .destinationBucket(folder.container())
            .destinationKey(folder.objectKey(name))
            .overrideConfiguration(within(ASSEMBLY));
    if (replaced != null) {
      request
          .metadataDirective(MetadataDirective.REPLACE)
          .metadata(replaced.metadata())
          .cacheControl(replaced.field("cache-control"))
          .contentDisposition(replaced.field("content-disposition"))
          .contentEncoding(replaced.field("content-encoding"))
          .contentLanguage(replaced.field("content-language"))
          .contentType(replaced.field("content-type"))
          .expires(time(replaced.field("expires")))
          .storageClass(replaced.field("x-amz-storage-class"));
    }
    CopyObjectResult result = call(client -> client.copyObject(request.build())).copyObjectResult();
    return new Copied(tag(result.eTag()), known(result.lastModified()));
  }

  @Override
  public String begin(String name, Description description) throws IOException, S3Failure {
    CreateMultipartUploadRequest.Builder request =
        CreateMultipartUploadRequest.builder()
            .bucket(folder.container())
            .key(folder.objectKey(name))
            .metadata(description.metadata())
            .cacheControl(description.field("cache-control"))
            .contentDisposition(description.field("content-disposition"))
            .contentEncoding(description.field("content-encoding"))
            .contentLanguage(description.field("content-language"))
            .contentType(description.field("content-type"))
            .expires(time(description.field("expires")))
            .acl(description.field("x-amz-acl"))
            .serverSideEncryption(description.field("x-amz-server-side-encryption"))
            .ssekmsKeyId(description.field("x-amz-server-side-encryption-aws-kms-key-id"))
            .storageClass(description.field("x-amz-storage-class"))
            .tagging(description.field("x-amz-tagging"));
    return call(client -> client.createMultipartUpload(request.build())).uploadId();
  }

  @Override
  public String part(String name, String upload, int number, Content content)
      throws IOException, S3Failure {
    String key = folder.objectKey(name);
    return tag(
        call(client ->
                client.uploadPart(
                    r ->
                        r.bucket(folder.container())
                            .key(key)
                            .uploadId(upload)
                            .partNumber(number)
                            .contentLength(content.length())
                            .overrideConfiguration(within(patience(content.length()))),
                    body(content)))
            .eTag());
  }

  @Override
  public Copied partCopy(
      String source, String version, @Nullable String range, String name, String upload, int number)
      throws IOException, S3Failure {
    String from = folder.objectKey(source);
    String key = folder.objectKey(name);
    CopyPartResult result =
        call(client ->
                client.uploadPartCopy(r ->
                    r.sourceBucket(folder.container())
                        .sourceKey(from)
                        .copySourceIfMatch(version.isEmpty() ? null : version)
                        .copySourceRange(range)
                        .destinationBucket(folder.container())
                        .destinationKey(key)
                        .uploadId(upload)
                        .partNumber(number)
                        .overrideConfiguration(within(ASSEMBLY))))
            .copyPartResult();
    return new Copied(tag(result.eTag()), known(result.lastModified()));
  }

  @Override
  public String complete(String name, String upload, List<NamedPart> parts, Description conditions)
      throws IOException, S3Failure {
    List<CompletedPart> completed =
        parts.stream()
            .map(part -> CompletedPart.builder().partNumber(part.number()).eTag(part.tag()).build())
            .toList();
    CompleteMultipartUploadRequest.Builder request =
        CompleteMultipartUploadRequest.builder()
            .bucket(folder.container())
            .key(folder.objectKey(name))
            .uploadId(upload)
            .multipartUpload(u -> u.parts(completed))
            .ifMatch(conditions.field("if-match"))
            .ifNoneMatch(conditions.field("if-none-match"))
            .overrideConfiguration(within(ASSEMBLY));
    return tag(call(client -> client.completeMultipartUpload(request.build())).eTag());
  }

  @Override
  public void abort(String name, String upload) throws IOException, S3Failure {
    String key = folder.objectKey(name);
    call(client ->
        client.abortMultipartUpload(r -> r.bucket(folder.container()).key(key).uploadId(upload)));
  }

  @Override
  public PartPage parts(String name, String upload, int after, int most)
      throws IOException, S3Failure {
    String key = folder.objectKey(name);
    ListPartsResponse page =
        call(client ->
            client.listParts(r ->
                r.bucket(folder.container())
                    .key(key)
                    .uploadId(upload)
                    .partNumberMarker(after == 0 ? null : after)
                    .maxParts(most)));
    Integer next = page.nextPartNumberMarker();
    return new PartPage(
        page.parts().stream()
            .map(part ->
                new StoredPart(
                    part.partNumber(), tag(part.eTag()), part.size(), known(part.lastModified())))
            .toList(),
        Boolean.TRUE.equals(page.isTruncated()) && next != null ? next : 0);
  }

  @Override
  public UploadPage uploads(String prefix, String delimiter, String name, String id, int most)
      throws IOException, S3Failure {
    ListMultipartUploadsResponse page =
        call(client ->
            client.listMultipartUploads(r ->
                r.bucket(folder.container())
                    .prefix(folder.key(prefix))
                    .delimiter(delimiter.isEmpty() ? null : delimiter)
                    .keyMarker(name.isEmpty() ? null : folder.key(name))
                    .uploadIdMarker(id.isEmpty() ? null : id)
                    .maxUploads(most)));
    boolean more = Boolean.TRUE.equals(page.isTruncated()) && page.nextKeyMarker() != null;
    return new UploadPage(
        page.uploads().stream()
            .map(upload ->
                new Upload(folder.name(upload.key()), upload.uploadId(), known(upload.initiated())))
            .toList(),
        page.commonPrefixes().stream().map(group -> folder.name(group.prefix())).toList(),
        more ? folder.name(page.nextKeyMarker()) : "",
        more && page.nextUploadIdMarker() != null ? page.nextUploadIdMarker() : "");
  }

  private static String tag(@Nullable String tag) {
    return tag == null ? "" : ObjectTag.quoted(tag);
  }

  private static Instant known(@Nullable Instant time) {
    return time == null ? Instant.EPOCH : time;
  }

  private static @Nullable Instant time(@Nullable String field) {
    return field == null ? null : S3Time.parse(field);
  }

  @Override
  public void close() {
    stores.close();
  }
}
