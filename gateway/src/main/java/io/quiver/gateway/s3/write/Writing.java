package io.quiver.gateway.s3.write;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.payload.VerifiedBody;
import io.quiver.gateway.s3.store.ObjectWrites;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Holds the steps that operations on objects share: describing, streaming, forgetting. */
public final class Writing {
  private static final String METADATA = "x-amz-meta-";
  private static final int MAX_METADATA = 8 << 10;

  private Writing() {}

  /** Sends content on. */
  @FunctionalInterface
  interface Sender<T> {
    /** Reads the content once and to the end. */
    T send(ObjectWrites.Content content) throws IOException, S3Failure;
  }

  /** Changes something. */
  @FunctionalInterface
  interface Change<T> {
    /** Makes the change. */
    T make() throws IOException, S3Failure;
  }

  /** Passes the payload of a request on; what is wrong with it goes before what became of that. */
  static <T> T streamed(VerifiedBody body, Sender<T> sender) throws IOException, S3Failure {
    body.requireEmptyVerified();
    T result;
    try {
      result = sender.send(new ObjectWrites.Content(body, body.length()));
    } catch (IOException | S3Failure | RuntimeException e) {
      body.rethrow();
      throw e;
    }
    body.rethrow();
    if (!body.isVerified()) {
      throw new IOException("the store took an object without reading it to its end");
    }
    return result;
  }

  /** Makes a change and has the door forget the object, also where the outcome is not known. */
  static <T> T forgetting(Door door, String name, Change<T> change) throws IOException, S3Failure {
    try {
      return change.make();
    } finally {
      door.forget(name);
    }
  }

  /** Returns what a request says of the object it stores. */
  static ObjectWrites.Description description(S3Request request) throws S3Failure {
    Map<String, String> fields = new HashMap<>();
    for (String name : ObjectWrites.Description.FIELDS) {
      String value = request.field(name);
      if (value != null) {
        fields.put(name, value);
      }
    }
    String coding = fields.get("content-encoding");
    if (coding != null) {
      String rest = withoutChunks(coding);
      if (rest.isEmpty()) {
        fields.remove("content-encoding");
      } else {
        fields.put("content-encoding", rest);
      }
    }
    return new ObjectWrites.Description(Map.copyOf(fields), metadata(request));
  }

  /** Returns the codings without the one that was taken off on the way. */
  private static String withoutChunks(String codings) {
    StringBuilder rest = new StringBuilder();
    for (String coding : codings.split(",", -1)) {
      if (!coding.strip().equalsIgnoreCase("aws-chunked")) {
        rest.append(rest.isEmpty() ? "" : ",").append(coding.strip());
      }
    }
    return rest.toString();
  }

  private static Map<String, String> metadata(S3Request request) throws S3Failure {
    Map<String, String> metadata = new HashMap<>();
    boolean[] customerKey = new boolean[1];
    request
        .exchange()
        .fields((name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (lower.startsWith(METADATA)) {
            metadata.merge(
                lower.substring(METADATA.length()), value, (first, next) -> first + "," + next);
          }
          customerKey[0] |=
              lower.contains("server-side-encryption-customer") || lower.contains("object-lock");
        });
    if (customerKey[0]) {
      throw S3Failure.of(
          S3Code.NOT_IMPLEMENTED,
          "Objects encrypted with keys of the client, and locks on objects, are not passed on.");
    }
    int length =
        metadata.entrySet().stream()
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
            .sum();
    if (length > MAX_METADATA) {
      throw S3Failure.of(
          400, "MetadataTooLarge", "Your metadata headers exceed " + MAX_METADATA + " bytes.");
    }
    return Map.copyOf(metadata);
  }
}
