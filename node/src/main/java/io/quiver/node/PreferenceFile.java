package io.quiver.node;

import io.quiver.core.plan.report.CachePreferences;
import io.quiver.manager.PreferenceStore;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Keeps the operators' preferences in a file beside the cache, as the JSON that {@code GET
 * /v1/preferences} answers. A file is replaced whole, so that a crash leaves the one before.
 */
final class PreferenceFile implements PreferenceStore {
  private static final String NAME = "preferences.json";

  private final Path file;

  /** Keeps preferences in a folder. */
  PreferenceFile(Path folder) {
    this.file = folder.resolve(NAME);
  }

  @Override
  public CachePreferences load() throws IOException {
    if (!Files.exists(file)) {
      return CachePreferences.NONE;
    }
    try {
      if (Files.size(file) > ControlJson.MAX_BYTES) {
        throw new IOException(unreadable("it is longer than " + ControlJson.MAX_BYTES + " bytes"));
      }
      return ControlJson.read(Files.readAllBytes(file), CachePreferences.class);
    } catch (MalformedDocument e) {
      throw new IOException(unreadable(String.valueOf(e.getMessage())), e);
    }
  }

  private String unreadable(String reason) {
    return file
        + " holds no preferences: "
        + reason
        + "; mend it, or move it away to start without pins, vetoes and quotas";
  }

  @Override
  public void save(CachePreferences preferences) throws IOException {
    if (preferences.equals(CachePreferences.NONE) && !Files.exists(file)) {
      return;
    }
    Path next = file.resolveSibling(NAME + ".next");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer json = ByteBuffer.wrap(ControlJson.write(preferences));
      while (json.hasRemaining()) {
        channel.write(json);
      }
      channel.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
