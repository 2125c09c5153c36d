package io.quiver.gateway.s3.read;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Time;
import io.quiver.gateway.s3.message.XmlAnswer;
import io.quiver.gateway.s3.signature.Caller;
import io.quiver.gateway.s3.signature.S3Call;
import io.quiver.gateway.s3.store.Buckets;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** Answers what is asked of buckets and of the service itself. */
public final class BucketRequests {
  private final Buckets buckets;
  private final String region;
  private final Instant started;

  public BucketRequests(Buckets buckets, String region, Instant started) {
    this.buckets = buckets;
    this.region = region;
    this.started = started;
  }

  /** Answers ListBuckets with those in which the caller may do something. */
  public void list(S3Call call) throws IOException {
    XmlAnswer xml = XmlAnswer.of("ListAllMyBucketsResult");
    xml.owner("Owner");
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
  public void head(S3Call call) throws IOException, S3Failure {
    requireKnown(call);
    call.answer(200, Map.of("x-amz-bucket-region", region));
  }

  /** Answers GetBucketLocation. Any region is accepted in signatures. */
  public void location(S3Call call) throws IOException, S3Failure {
    requireKnown(call);
    XmlAnswer xml = XmlAnswer.of("LocationConstraint");
    byte[] document = region.equals("us-east-1") ? xml.bytes() : xml.text(region).bytes();
    call.request().exchange().answer(200, XmlAnswer.CONTENT_TYPE, document, call.fields());
  }

  /** Answers GetBucketVersioning: only the newest version is served. */
  public void versioning(S3Call call) throws IOException, S3Failure {
    requireKnown(call);
    call.answer(XmlAnswer.of("VersioningConfiguration"));
  }

  /** Refuses to make a bucket; one that is served is there already. */
  public void create(S3Call call) throws S3Failure {
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
