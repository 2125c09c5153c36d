package io.quiver.gateway.s3.write;

import io.quiver.gateway.door.OpenObject;
import io.quiver.gateway.s3.message.Conditions;
import io.quiver.gateway.s3.message.CopySource;
import io.quiver.gateway.s3.message.ObjectKey;
import io.quiver.gateway.s3.message.ObjectRange;
import io.quiver.gateway.s3.message.ObjectTag;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.message.S3Time;
import io.quiver.gateway.s3.message.XmlAnswer;
import io.quiver.gateway.s3.message.XmlDocument;
import io.quiver.gateway.s3.payload.Documents;
import io.quiver.gateway.s3.payload.VerifiedBody;
import io.quiver.gateway.s3.signature.S3Call;
import io.quiver.gateway.s3.store.Buckets;
import io.quiver.gateway.s3.store.ObjectWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.http.Refusal;
import io.quiver.remote.ObjectDetails;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers what is asked of uploads in parts. An upload is the store's own, with the store's id, so
 * it goes on through another endpoint when this one is gone.
 */
public final class MultipartRequests {
  private static final int MAX_PARTS = 10_000;
  private static final int MAX_PAGE = 1000;

  private final Buckets buckets;
  private final Documents documents;
  private final InstantSource clock;

  public MultipartRequests(Buckets buckets, Documents documents, InstantSource clock) {
    this.buckets = buckets;
    this.documents = documents;
    this.clock = clock;
  }

  private OpenStore store(S3Call call) throws IOException, S3Failure {
    S3Request request = call.request();
    call.caller().require(true, request.bucket(), request.key());
    return buckets.open(request.bucket(), call.caller().key());
  }

  private static int number(S3Call call) throws S3Failure {
    return call.request().query().number("partNumber", 1, MAX_PARTS, 0);
  }

  /** Answers CreateMultipartUpload. */
  public void begin(S3Call call) throws IOException, S3Failure {
    OpenStore store = store(call);
    String key = call.request().key();
    String id = store.writes().begin(key, Writing.description(call.request()));
    call.answer(
        XmlAnswer.of("InitiateMultipartUploadResult")
            .element("Bucket", call.request().bucket())
            .element("Key", key)
            .element("UploadId", id));
  }

  /** Answers UploadPart. */
  public void part(S3Call call) throws IOException, S3Failure {
    OpenStore store = store(call);
    int number = number(call);
    VerifiedBody body = VerifiedBody.of(call.request(), call.caller());
    String tag =
        Writing.streamed(
            body,
            content ->
                store
                    .writes()
                    .part(call.request().key(), call.parameter("uploadId"), number, content));
    Map<String, String> fields = new HashMap<>(body.verifiedSums());
    fields.put("ETag", tag);
    call.answer(200, fields);
  }

  /** Answers UploadPartCopy: by the store itself within a bucket, else through the door. */
  public void partCopy(S3Call call) throws IOException, S3Failure {
    OpenStore target = store(call);
    CopySource source = CopySource.of(call.request());
    call.caller().require(false, source.bucket(), source.key());
    OpenStore from = buckets.open(source.bucket(), call.caller().key());
    from.door().forget(source.key());
    ObjectDetails details = from.door().details(source.key());
    Conditions.requireCopySource(call.request(), details.object());
    String range = call.request().field("x-amz-copy-source-range");
    ObjectWrites.Copied copied =
        source.bucket().equals(call.request().bucket()) && target.writes().copiesItself()
            ? target
                .writes()
                .partCopy(
                    source.key(),
                    ObjectTag.of(details.object()),
                    range,
                    call.request().key(),
                    call.parameter("uploadId"),
                    number(call))
            : through(call, from, target, details, range);
    call.answer(
        XmlAnswer.of("CopyPartResult")
            .element("LastModified", S3Time.document(copied.modified()))
            .element("ETag", copied.tag()));
  }

  private ObjectWrites.Copied through(
      S3Call call, OpenStore from, OpenStore target, ObjectDetails details, @Nullable String field)
      throws IOException, S3Failure {
    ObjectRange range = ObjectRange.of(field, details.object().size());
    try (OpenObject open = from.door().open(details)) {
      String tag =
          target
              .writes()
              .part(
                  call.request().key(),
                  call.parameter("uploadId"),
                  number(call),
                  new ObjectWrites.Content(
                      new ObjectStream(open, range.offset(), range.length()), range.length()));
      return new ObjectWrites.Copied(tag, clock.instant());
    }
  }

  /** Answers CompleteMultipartUpload. */
  public void complete(S3Call call) throws IOException, S3Failure, Refusal {
    OpenStore store = store(call);
    String key = call.request().key();
    List<ObjectWrites.NamedPart> parts =
        parts(documents.read(call, "CompleteMultipartUpload").children("Part"));
    ObjectWrites.Description conditions = Writing.description(call.request());
    String tag =
        Writing.forgetting(
            store.door(),
            key,
            () -> store.writes().complete(key, call.parameter("uploadId"), parts, conditions));
    call.answer(
        XmlAnswer.of("CompleteMultipartUploadResult")
            .element("Location", call.request().exchange().rawPath())
            .element("Bucket", call.request().bucket())
            .element("Key", key)
            .element("ETag", tag));
  }

  private static List<ObjectWrites.NamedPart> parts(List<XmlDocument.Element> elements)
      throws S3Failure {
    if (elements.isEmpty() || elements.size() > MAX_PARTS) {
      throw S3Failure.of(S3Code.MALFORMED_XML, "An object has 1 to " + MAX_PARTS + " parts.");
    }
    List<ObjectWrites.NamedPart> parts = new ArrayList<>();
    for (XmlDocument.Element element : elements) {
      String number = element.child("PartNumber").strip();
      if (!number.matches("\\d{1,5}")) {
        throw S3Failure.of(S3Code.MALFORMED_XML, "A part has no number.");
      }
      parts.add(
          new ObjectWrites.NamedPart(Integer.parseInt(number), element.child("ETag").strip()));
    }
    return parts;
  }

  /** Answers AbortMultipartUpload. */
  public void abort(S3Call call) throws IOException, S3Failure {
    store(call).writes().abort(call.request().key(), call.parameter("uploadId"));
    call.answer(204, Map.of());
  }

  /** Answers ListParts. */
  public void parts(S3Call call) throws IOException, S3Failure {
    OpenStore store = store(call);
    int after = call.request().query().number("part-number-marker", 0, MAX_PARTS, 0);
    int most =
        Math.min(MAX_PAGE, call.request().query().number("max-parts", 1, Integer.MAX_VALUE, 1000));
    String key = call.request().key();
    ObjectWrites.PartPage page = store.writes().parts(key, call.parameter("uploadId"), after, most);
    XmlAnswer xml =
        XmlAnswer.of("ListPartsResult")
            .element("Bucket", call.request().bucket())
            .element("Key", key)
            .element("UploadId", call.parameter("uploadId"))
            .element("PartNumberMarker", Integer.toString(after))
            .element("NextPartNumberMarker", page.next() > 0 ? "" + page.next() : null)
            .element("MaxParts", Integer.toString(most))
            .element("IsTruncated", Boolean.toString(page.next() > 0))
            .element("StorageClass", "STANDARD");
    xml.owner("Initiator");
    xml.owner("Owner");
    for (ObjectWrites.StoredPart part : page.parts()) {
      xml.open("Part")
          .element("PartNumber", Integer.toString(part.number()))
          .element("LastModified", S3Time.document(part.modified()))
          .element("ETag", part.tag())
          .element("Size", Long.toString(part.size()))
          .close();
    }
    call.answer(xml);
  }

  /** Answers ListMultipartUploads. */
  public void uploads(S3Call call) throws IOException, S3Failure {
    String bucket = call.request().bucket();
    String prefix = ObjectKey.requirePrefix(call.parameter("prefix"));
    call.caller().require(true, bucket, prefix);
    OpenStore store = buckets.open(bucket, call.caller().key());
    int most =
        Math.min(
            MAX_PAGE, call.request().query().number("max-uploads", 1, Integer.MAX_VALUE, 1000));
    ObjectWrites.UploadPage page =
        store
            .writes()
            .uploads(
                prefix,
                call.parameter("delimiter"),
                call.parameter("key-marker"),
                call.parameter("upload-id-marker"),
                most);
    XmlAnswer xml =
        XmlAnswer.of("ListMultipartUploadsResult")
            .element("Bucket", bucket)
            .element("KeyMarker", call.parameter("key-marker"))
            .element("UploadIdMarker", call.parameter("upload-id-marker"))
            .element("Prefix", prefix)
            .element("NextKeyMarker", page.nextName().isEmpty() ? null : page.nextName())
            .element("NextUploadIdMarker", page.nextId().isEmpty() ? null : page.nextId())
            .element("MaxUploads", Integer.toString(most))
            .element("IsTruncated", Boolean.toString(!page.nextName().isEmpty()));
    for (ObjectWrites.Upload upload : page.uploads()) {
      xml.open("Upload").element("Key", upload.name()).element("UploadId", upload.id());
      xml.owner("Initiator");
      xml.owner("Owner");
      xml.element("StorageClass", "STANDARD")
          .element("Initiated", S3Time.document(upload.begun()))
          .close();
    }
    for (String group : page.groups()) {
      xml.open("CommonPrefixes").element("Prefix", group).close();
    }
    call.answer(xml);
  }
}
