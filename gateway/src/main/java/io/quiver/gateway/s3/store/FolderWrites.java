package io.quiver.gateway.s3.store;

import io.quiver.gateway.s3.message.ObjectTag;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.remote.file.FolderWriter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a folder of files. Files keep no type and no metadata, so those that a client names are
 * not kept; uploads in parts have no place to stay and are refused.
 */
public final class FolderWrites implements ObjectWrites {
  private final FolderWriter writer;

  /** Opens a folder. */
  public FolderWrites(Path folder) throws IOException {
    this.writer = FolderWriter.open(folder);
  }

  @Override
  public String put(String name, Description description, Content content)
      throws IOException, S3Failure {
    if (description.field("if-match") != null || description.field("if-none-match") != null) {
      throw S3Failure.of(S3Code.NOT_IMPLEMENTED, "Writes to a folder of files take no conditions.");
    }
    try {
      return ObjectTag.of(writer.put(name, content.bytes(), content.length()));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      if (e.getReason() == null || e.getClass() != FileSystemException.class) {
        throw e;
      }
      throw S3Failure.of(
          S3Code.INVALID_ARGUMENT, "The key cannot be a file of this folder: " + e.getReason());
    }
  }

  @Override
  public void delete(String name) throws IOException {
    writer.delete(name);
  }

  @Override
  public boolean copiesItself() {
    return false;
  }

  @Override
  public Copied copy(String source, String version, String name, @Nullable Description replaced)
      throws S3Failure {
    throw inParts();
  }

  @Override
  public String begin(String name, Description description) throws S3Failure {
    throw inParts();
  }

  @Override
  public String part(String name, String upload, int number, Content content) throws S3Failure {
    throw inParts();
  }

  @Override
  public Copied partCopy(
      String source, String version, @Nullable String range, String name, String upload, int number)
      throws S3Failure {
    throw inParts();
  }

  @Override
  public String complete(String name, String upload, List<NamedPart> parts, Description conditions)
      throws S3Failure {
    throw inParts();
  }

  @Override
  public void abort(String name, String upload) throws S3Failure {
    throw inParts();
  }

  @Override
  public PartPage parts(String name, String upload, int after, int most) throws S3Failure {
    throw inParts();
  }

  @Override
  public UploadPage uploads(String prefix, String delimiter, String name, String id, int most) {
    return new UploadPage(List.of(), List.of(), "", "");
  }

  private static S3Failure inParts() {
    return ObjectWrites.unsupported(
        "This bucket is a folder of files, which takes objects whole: raise the client's threshold"
            + " for uploads in parts.");
  }

  @Override
  public void close() {}
}
