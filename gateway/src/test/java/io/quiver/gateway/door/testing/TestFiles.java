package io.quiver.gateway.door.testing;

import io.quiver.gateway.door.OpenObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Files of random bytes, and reads of whole ranges. */
public final class TestFiles {
  private TestFiles() {}

  /** Writes a file below a folder; returns what it holds. */
  public static byte[] write(Path folder, String name, Random random, int bytes)
      throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    return content;
  }

  /** Reads up to so many bytes. */
  public static byte[] read(OpenObject object, long offset, int most) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(most);
    int count = object.read(offset, target);
    if (target.position() != count) {
      throw new AssertionError(count + " bytes read, the target is at " + target.position());
    }
    return Arrays.copyOf(target.array(), count);
  }

  /** Passes a range. */
  public static byte[] transfer(OpenObject object, long offset, long length) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    object.transfer(
        offset,
        length,
        piece -> {
          byte[] bytes = new byte[piece.remaining()];
          piece.get(bytes);
          all.writeBytes(bytes);
        });
    return all.toByteArray();
  }

  /** Returns up to so many bytes of a content. */
  public static byte[] part(byte[] content, long offset, int most) {
    int from = (int) Math.min(content.length, offset);
    return Arrays.copyOfRange(content, from, (int) Math.min(content.length, offset + (long) most));
  }
}
