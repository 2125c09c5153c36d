package io.quiver.gateway.s3.read;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.OpenObject;
import io.quiver.gateway.s3.message.Conditions;
import io.quiver.gateway.s3.message.ObjectRange;
import io.quiver.gateway.s3.message.ObjectTag;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.message.S3Time;
import io.quiver.gateway.s3.signature.S3Call;
import io.quiver.gateway.s3.store.Buckets;
import io.quiver.http.StreamedAnswer;
import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers GetObject and HeadObject from a bucket's door. */
public final class ObjectReads {
  private static final String DEFAULT_TYPE = "binary/octet-stream";

  /** Query parameters that replace header fields of the answer. */
  private static final Map<String, String> OVERRIDES =
      Map.of(
          "response-cache-control", "Cache-Control",
          "response-content-disposition", "Content-Disposition",
          "response-content-encoding", "Content-Encoding",
          "response-content-language", "Content-Language",
          "response-expires", "Expires");

  private final Buckets buckets;

  public ObjectReads(Buckets buckets) {
    this.buckets = buckets;
  }

  /** Answers with an object, a part of it, or its head alone. */
  public void read(S3Call call) throws IOException, S3Failure {
    S3Request request = call.request();
    call.caller().require(false, request.bucket(), request.key());
    Door door = buckets.open(request.bucket(), call.caller().key()).door();
    requireKnownVersion(call);
    try {
      read(call, door);
    } catch (ChangedObjectException e) {
      if (call.request().exchange().answered()) {
        throw e;
      }
      // The door knew an older version; now it asks the store.
      door.forget(request.key());
      read(call, door);
    }
  }

  /** Asks for details alone where the answer may have no bytes; else for both at once. */
  private void read(S3Call call, Door door) throws IOException, S3Failure {
    String key = call.request().key();
    if (!call.request().exchange().sendsPayload() || Conditions.areSet(call.request())) {
      ObjectDetails details = door.details(key);
      answer(call, details, () -> door.open(details));
      return;
    }
    try (OpenObject open = door.open(key)) {
      open.readBy(reader());
      answer(call, open.details(), () -> open);
    }
  }

  /** Returns the connection, as its one thread: programs keep one for each thread that reads. */
  private static long reader() {
    return Thread.currentThread().threadId();
  }

  private static void requireKnownVersion(S3Call call) throws S3Failure {
    String version = call.parameter("versionId");
    if (!version.isEmpty() && !version.equals("null")) {
      throw S3Failure.of(
          S3Code.INVALID_ARGUMENT, "Invalid version id specified: only the newest one is served");
    }
  }

  private static void answer(S3Call call, ObjectDetails details, Opener opener)
      throws IOException, S3Failure {
    RemoteObject object = details.object();
    Map<String, String> fields = describe(call, details);
    if (Conditions.notModified(call.request(), object)) {
      call.request().exchange().answer(304, DEFAULT_TYPE, new byte[0], fields);
      return;
    }
    ObjectRange range = range(call, object);
    if (range.partial()) {
      fields.put("Content-Range", range.contentRange(object.size()));
    }
    int status = range.partial() ? 206 : 200;
    String type = contentType(call, details);
    if (!call.request().exchange().sendsPayload() || range.length() == 0) {
      call.request().exchange().begin(status, type, range.length(), fields).flush();
      return;
    }
    try (OpenObject open = opener.open()) {
      open.readBy(reader());
      send(call, open, range, new Head(status, type, fields));
    }
  }

  /** Opens the object whose details are known. */
  @FunctionalInterface
  private interface Opener {
    OpenObject open() throws IOException;
  }

  /** The part of an answer that stands before the bytes. */
  private record Head(int status, String type, Map<String, String> fields) {}

  /** Begins the answer with the first bytes, so that a store's failure before them can be told. */
  private static void send(S3Call call, OpenObject open, ObjectRange range, Head head)
      throws IOException {
    StreamedAnswer[] answer = new StreamedAnswer[1];
    open.transfer(
        range.offset(),
        range.length(),
        piece -> {
          if (answer[0] == null) {
            answer[0] =
                call.request()
                    .exchange()
                    .beginStreamed(head.status(), head.type(), range.length(), head.fields());
          }
          answer[0].send(piece);
        });
    if (answer[0] == null) {
      throw new IOException("the door passed no bytes of '" + open.details().object().name() + "'");
    }
    answer[0].end();
  }

  private static ObjectRange range(S3Call call, RemoteObject object) throws S3Failure {
    String part = call.request().query().value("partNumber");
    if (part != null) {
      if (!part.equals("1")) {
        throw S3Failure.of(
            S3Code.INVALID_PART_NUMBER,
            "The requested partnumber is not satisfiable: objects are served as one part");
      }
      return new ObjectRange(0, object.size(), object.size() > 0);
    }
    String field = call.request().field("Range");
    String unchanged = call.request().field("If-Range");
    return ObjectRange.of(
        unchanged == null || isUnchanged(unchanged.strip(), object) ? field : null, object.size());
  }

  private static boolean isUnchanged(String condition, RemoteObject object) {
    if (condition.startsWith("\"") || condition.startsWith("W/")) {
      return condition.equals(ObjectTag.of(object)) && !condition.startsWith("W/");
    }
    Instant time = S3Time.parse(condition);
    return time != null && time.equals(S3Time.seconds(object.modified()));
  }

  private static Map<String, String> describe(S3Call call, ObjectDetails details) throws S3Failure {
    Map<String, String> fields = call.fields();
    RemoteObject object = details.object();
    fields.put("Accept-Ranges", "bytes");
    String tag = ObjectTag.of(object);
    if (!tag.isEmpty()) {
      fields.put("ETag", tag);
    }
    if (!object.modified().equals(Instant.EPOCH)) {
      fields.put("Last-Modified", S3Time.header(object.modified()));
    }
    int hidden = 0;
    for (Map.Entry<String, String> entry : details.metadata().entrySet()) {
      if (isPlain(entry.getKey()) && isPlain(entry.getValue())) {
        fields.put("x-amz-meta-" + entry.getKey(), entry.getValue());
      } else {
        hidden++;
      }
    }
    if (hidden > 0) {
      fields.put("x-amz-missing-meta", Integer.toString(hidden));
    }
    if (!call.request().query().names().isEmpty()) {
      for (Map.Entry<String, String> entry : OVERRIDES.entrySet()) {
        String value = override(call, entry.getKey());
        if (value != null) {
          fields.put(entry.getValue(), value);
        }
      }
    }
    return fields;
  }

  private static String contentType(S3Call call, ObjectDetails details) throws S3Failure {
    String value = override(call, "response-content-type");
    if (value != null) {
      return value;
    }
    String own = details.contentType();
    return own.isEmpty() || !isPlain(own) ? DEFAULT_TYPE : own;
  }

  private static @Nullable String override(S3Call call, String parameter) throws S3Failure {
    String value = call.request().query().value(parameter);
    if (value != null && !isPlain(value)) {
      throw S3Failure.of(
          S3Code.INVALID_ARGUMENT, parameter + " has characters that no header field may have");
    }
    return value;
  }

  /** Returns true if the text can stand in a header field: nothing ends the line. */
  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }
}
