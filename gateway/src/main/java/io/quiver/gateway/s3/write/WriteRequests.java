package io.quiver.gateway.s3.write;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.OpenObject;
import io.quiver.gateway.s3.message.Conditions;
import io.quiver.gateway.s3.message.CopySource;
import io.quiver.gateway.s3.message.ObjectKey;
import io.quiver.gateway.s3.message.ObjectTag;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.message.S3Time;
import io.quiver.gateway.s3.message.XmlAnswer;
import io.quiver.gateway.s3.message.XmlDocument;
import io.quiver.gateway.s3.payload.Documents;
import io.quiver.gateway.s3.payload.VerifiedBody;
import io.quiver.gateway.s3.signature.Caller;
import io.quiver.gateway.s3.signature.S3Call;
import io.quiver.gateway.s3.store.Buckets;
import io.quiver.gateway.s3.store.ObjectWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.http.Refusal;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers PutObject, CopyObject, DeleteObject and DeleteObjects. */
public final class WriteRequests {
  private static final int MAX_DELETED = 1000;

  private final Buckets buckets;
  private final Documents documents;
  private final InstantSource clock;

  public WriteRequests(Buckets buckets, Documents documents, InstantSource clock) {
    this.buckets = buckets;
    this.documents = documents;
    this.clock = clock;
  }

  private OpenStore store(S3Call call) throws IOException, S3Failure {
    S3Request request = call.request();
    call.caller().require(true, request.bucket(), request.key());
    return buckets.open(request.bucket(), call.caller().key());
  }

  /** Answers PutObject. */
  public void put(S3Call call) throws IOException, S3Failure {
    OpenStore store = store(call);
    String key = call.request().key();
    ObjectWrites.Description description = Writing.description(call.request());
    VerifiedBody body = VerifiedBody.of(call.request(), call.caller());
    String tag =
        Writing.forgetting(
            store.door(),
            key,
            () -> Writing.streamed(body, content -> store.writes().put(key, description, content)));
    Map<String, String> fields = new HashMap<>(body.verifiedSums());
    fields.put("ETag", tag);
    call.answer(200, fields);
  }

  /** Answers DeleteObject. */
  public void delete(S3Call call) throws IOException, S3Failure {
    OpenStore store = store(call);
    delete(store, call.request().key());
    call.answer(204, Map.of());
  }

  private static void delete(OpenStore store, String key) throws IOException, S3Failure {
    Writing.forgetting(
        store.door(),
        key,
        () -> {
          store.writes().delete(key);
          return key;
        });
  }

  /** Answers DeleteObjects; each object has an outcome of its own. */
  public void deleteAll(S3Call call) throws IOException, S3Failure, Refusal {
    String bucket = call.request().bucket();
    if (!call.caller().key().knows(bucket)) {
      throw Caller.denied();
    }
    OpenStore store = buckets.open(bucket, call.caller().key());
    XmlDocument.Element document = documents.read(call, "Delete");
    List<XmlDocument.Element> objects = document.children("Object");
    if (objects.isEmpty() || objects.size() > MAX_DELETED) {
      throw S3Failure.of(
          S3Code.MALFORMED_XML, "Delete names 1 to " + MAX_DELETED + " objects at once.");
    }
    boolean quiet = document.child("Quiet").strip().equals("true");
    XmlAnswer xml = XmlAnswer.of("DeleteResult");
    for (XmlDocument.Element object : objects) {
      String key = object.child("Key");
      S3Failure failure = tryDelete(call, store, key);
      if (failure != null) {
        xml.open("Error")
            .element("Key", key)
            .element("Code", failure.code())
            .element("Message", failure.message())
            .close();
      } else if (!quiet) {
        xml.open("Deleted").element("Key", key).close();
      }
    }
    call.answer(xml);
  }

  private static @Nullable S3Failure tryDelete(S3Call call, OpenStore store, String key) {
    try {
      call.caller().require(true, call.request().bucket(), ObjectKey.require(key));
      delete(store, key);
      return null;
    } catch (S3Failure failure) {
      return failure;
    } catch (IOException failure) {
      return S3Failure.of(failure);
    }
  }

  /** Answers CopyObject: by the store itself within a bucket, else through the door. */
  public void copy(S3Call call) throws IOException, S3Failure {
    OpenStore target = store(call);
    CopySource source = CopySource.of(call.request());
    call.caller().require(false, source.bucket(), source.key());
    OpenStore from = buckets.open(source.bucket(), call.caller().key());
    from.door().forget(source.key());
    ObjectDetails details = from.door().details(source.key());
    Conditions.requireCopySource(call.request(), details.object());
    String directive = call.request().field("x-amz-metadata-directive");
    boolean replace = "REPLACE".equalsIgnoreCase(directive);
    String key = call.request().key();
    ObjectWrites.Description own = Writing.description(call.request());
    ObjectWrites.Copied copied =
        Writing.forgetting(
            target.door(),
            key,
            () ->
                source.bucket().equals(call.request().bucket()) && target.writes().copiesItself()
                    ? target.writes().copy(source.key(), tag(details), key, replace ? own : null)
                    : through(from.door(), target, key, details, replace ? own : kept(details)));
    call.answer(
        XmlAnswer.of("CopyObjectResult")
            .element("LastModified", S3Time.document(copied.modified()))
            .element("ETag", copied.tag()));
  }

  private static String tag(ObjectDetails details) {
    return ObjectTag.of(details.object());
  }

  private static ObjectWrites.Description kept(ObjectDetails details) {
    Map<String, String> fields =
        details.contentType().isEmpty() ? Map.of() : Map.of("content-type", details.contentType());
    return new ObjectWrites.Description(fields, details.metadata());
  }

  private ObjectWrites.Copied through(
      Door from,
      OpenStore target,
      String key,
      ObjectDetails details,
      ObjectWrites.Description description)
      throws IOException, S3Failure {
    RemoteObject object = details.object();
    try (OpenObject open = from.open(details)) {
      String tag =
          target
              .writes()
              .put(
                  key,
                  description,
                  new ObjectWrites.Content(
                      new ObjectStream(open, 0, object.size()), object.size()));
      return new ObjectWrites.Copied(tag, clock.instant());
    }
  }
}
