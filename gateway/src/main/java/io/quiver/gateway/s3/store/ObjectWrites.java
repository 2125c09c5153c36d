package io.quiver.gateway.s3.store;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes the objects of one store, with the store's own credentials. Names are paths below the
 * store's root, as in {@link io.quiver.gateway.door.Door}; uploads in parts are the store's, so
 * they outlive this process. Safe for use by many threads.
 */
public sealed interface ObjectWrites extends AutoCloseable
    permits S3Writes, FolderWrites, NoWrites {

  /**
   * Describes an object as the client that stores it wants it.
   *
   * @param fields header fields by lower-case name, such as {@code content-type}; only those in
   *     {@link #FIELDS}
   * @param metadata the user's own keys and values
   */
  record Description(Map<String, String> fields, Map<String, String> metadata) {
    /** The fields that are kept with an object or decide about storing it. */
    public static final List<String> FIELDS =
        List.of(
            "cache-control",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-type",
            "expires",
            "if-match",
            "if-none-match",
            "x-amz-acl",
            "x-amz-server-side-encryption",
            "x-amz-server-side-encryption-aws-kms-key-id",
            "x-amz-storage-class",
            "x-amz-tagging");

    public @Nullable String field(String name) {
      return fields.get(name);
    }
  }

  /** The bytes of an object, which the store reads once and to the end. */
  record Content(InputStream bytes, long length) {}

  /** A copy: its tag, and the time it was made. */
  record Copied(String tag, Instant modified) {}

  /** A part that a client wants in its object. */
  record NamedPart(int number, String tag) {}

  /** A part that the store has. */
  record StoredPart(int number, String tag, long size, Instant modified) {}

  /** A page of parts; next is 0 at the end. */
  record PartPage(List<StoredPart> parts, int next) {}

  /** An upload in parts that has begun. */
  record Upload(String name, String id, Instant begun) {}

  /** A page of uploads; the markers are empty at the end. */
  record UploadPage(List<Upload> uploads, List<String> groups, String nextName, String nextId) {}

  /** Stores an object and returns its tag. Content that breaks off leaves no object. */
  String put(String name, Description description, Content content) throws IOException, S3Failure;

  /** Deletes an object; one that is not there is deleted already. */
  void delete(String name) throws IOException, S3Failure;

  /**
   * Copies an object within the store.
   *
   * @param replaced the new description, or null to keep the source's
   * @param version the source's tag, which must still be right
   */
  Copied copy(String source, String version, String name, @Nullable Description replaced)
      throws IOException, S3Failure;

  /** Begins an upload in parts and returns its id. */
  String begin(String name, Description description) throws IOException, S3Failure;

  /** Stores a part and returns its tag. */
  String part(String name, String upload, int number, Content content)
      throws IOException, S3Failure;

  /**
   * Copies a part of another object of the store.
   *
   * @param range as in {@code bytes=0-99}; null for all of it
   */
  Copied partCopy(
      String source, String version, @Nullable String range, String name, String upload, int number)
      throws IOException, S3Failure;

  /** Makes the object of its parts and returns its tag. */
  String complete(String name, String upload, List<NamedPart> parts, Description conditions)
      throws IOException, S3Failure;

  /** Ends an upload and forgets its parts. */
  void abort(String name, String upload) throws IOException, S3Failure;

  /** Returns the parts of an upload behind a number. */
  PartPage parts(String name, String upload, int after, int most) throws IOException, S3Failure;

  /** Returns uploads that have begun, behind a name and an id. */
  UploadPage uploads(String prefix, String delimiter, String name, String id, int most)
      throws IOException, S3Failure;

  /** Returns true if the store copies its objects itself. */
  default boolean copiesItself() {
    return true;
  }

  @Override
  void close();

  /** Returns the answer where a store cannot do what is asked. */
  static S3Failure unsupported(String what) {
    return S3Failure.of(S3Code.METHOD_NOT_ALLOWED, what);
  }

  /** Returns what refuses every write to a store that can only be read. */
  static ObjectWrites none(RemoteStore store) {
    return new NoWrites(store.uri());
  }
}
