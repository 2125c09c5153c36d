package io.quiver.gateway.s3.store;

import io.quiver.gateway.s3.message.S3Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses to change a store that can only be read. */
public final class NoWrites implements ObjectWrites {
  private final String uri;

  /** Makes the refusals of a store. */
  public NoWrites(String uri) {
    this.uri = uri;
  }

  @Override
  public String put(String name, Description description, Content content) throws S3Failure {
    throw refused();
  }

  @Override
  public void delete(String name) throws S3Failure {
    throw refused();
  }

  @Override
  public Copied copy(String source, String version, String name, @Nullable Description replaced)
      throws S3Failure {
    throw refused();
  }

  @Override
  public String begin(String name, Description description) throws S3Failure {
    throw refused();
  }

  @Override
  public String part(String name, String upload, int number, Content content) throws S3Failure {
    throw refused();
  }

  @Override
  public Copied partCopy(
      String source, String version, @Nullable String range, String name, String upload, int number)
      throws S3Failure {
    throw refused();
  }

  @Override
  public String complete(String name, String upload, List<NamedPart> parts, Description conditions)
      throws S3Failure {
    throw refused();
  }

  @Override
  public void abort(String name, String upload) throws S3Failure {
    throw refused();
  }

  @Override
  public PartPage parts(String name, String upload, int after, int most) throws S3Failure {
    throw refused();
  }

  @Override
  public UploadPage uploads(String prefix, String delimiter, String name, String id, int most)
      throws S3Failure {
    throw refused();
  }

  private S3Failure refused() {
    return ObjectWrites.unsupported(
        "This bucket shows " + uri + ", which is only read here; change it where it lies.");
  }

  @Override
  public void close() {}
}
