package io.quiver.gateway.s3;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** Answers what is asked of buckets and of the service itself. */
final class BucketRequests {
  private final Buckets buckets;
  private final String region;
  private final Instant started;

  BucketRequests(Buckets buckets, String region, Instant started) {
    this.buckets = buckets;
    this.region = region;
    this.started = started;
  }

  /** Answers ListBuckets with those in which the caller may do something. */
  void list(S3Call call) throws IOException {
    XmlAnswer xml = XmlAnswer.of("ListAllMyBucketsResult");
    S3Gateway.owner(xml, "Owner");
    xml.open("Buckets");
    for (String name : buckets.names()) {
      if (call.caller().key().knows(name)) {
        xml.open("Bucket")
            .element("Name", name)
            .element("CreationDate", S3Time.document(started))
            .close();
      }
    }
    call.answer(xml.close());
  }

  /** Answers HeadBucket. */
  void head(S3Call call) throws IOException, S3Failure {
    requireKnown(call);
    call.answer(200, Map.of("x-amz-bucket-region", region));
  }

  /** Answers GetBucketLocation. Any region is accepted in signatures. */
  void location(S3Call call) throws IOException, S3Failure {
    requireKnown(call);
    XmlAnswer xml = XmlAnswer.of("LocationConstraint");
    byte[] document = region.equals("us-east-1") ? xml.bytes() : xml.text(region).bytes();
    call.request().exchange().answer(200, XmlAnswer.CONTENT_TYPE, document, call.fields());
  }

  /** Answers GetBucketVersioning: only the newest version is served. */
  void versioning(S3Call call) throws IOException, S3Failure {
    requireKnown(call);
    call.answer(XmlAnswer.of("VersioningConfiguration"));
  }

  /** Refuses to make a bucket; one that is served is there already. */
  void create(S3Call call) throws S3Failure {
    requireKnown(call);
    throw S3Failure.of(
        S3Code.BUCKET_EXISTS,
        "Your previous request to create the named bucket succeeded and you already own it.");
  }

  /** Refuses a bucket in which nothing is granted, and one that is not served. */
  private void requireKnown(S3Call call) throws S3Failure {
    String bucket = call.request().bucket();
    if (!call.caller().key().knows(bucket)) {
      throw Caller.denied();
    }
    buckets.require(bucket);
  }
}
