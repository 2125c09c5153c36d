package io.quiver.remote.ingest;

import io.quiver.core.dataset.EncodedStrings;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.Cut.ItemSink;
import io.quiver.remote.ingest.IngestOptions.ItemRules;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/**
 * Cuts an uncompressed tar archive, whose regular members are items, in one pass.
 *
 * <p>Folders, links and devices are passed over. A sparse member is refused: its bytes do not lie
 * in the archive as they would be read.
 */
record TarCut(RemoteStore store, RemoteObject object, ItemRules rules) implements Cut {
  private static final int BUFFER_BYTES = 128 << 10;
  private static final int BLOCK = TarConstants.DEFAULT_RCDSIZE;

  @Override
  public void run(Hasher hasher, ItemSink sink) throws IOException, InterruptedException {
    try (InputStream raw = store.open(object.name(), 0, -1);
        BufferedInputStream buffered = new BufferedInputStream(raw, BUFFER_BYTES)) {
      requirePlain(buffered);
      members(new TarArchiveInputStream(buffered, StandardCharsets.UTF_8.name()), hasher, sink);
    } catch (IngestException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new IngestException(
          "'%s' is no tar archive, or a damaged or cut one (%s); make or fetch it again"
              .formatted(object.name(), e.getMessage()),
          e);
    }
  }

  private void members(TarArchiveInputStream tar, Hasher hasher, ItemSink sink)
      throws IOException, InterruptedException {
    long end = 0;
    TarArchiveEntry entry = tar.getNextEntry();
    while (entry != null) {
      long offset = tar.getBytesRead();
      requireSound(entry, offset);
      long size = isRegular(entry) ? entry.getSize() : 0;
      if (isRegular(entry)) {
        member(tar, entry, offset, hasher, sink);
      }
      end = (offset + size + BLOCK - 1) / BLOCK * BLOCK;
      entry = tar.getNextEntry();
    }
    requireEndMark(end);
  }

  private void member(
      TarArchiveInputStream tar, TarArchiveEntry entry, long offset, Hasher hasher, ItemSink sink)
      throws IOException, InterruptedException {
    String location = object.name() + "!" + entry.getName();
    if (!rules.admits(entry.getSize(), location)) {
      sink.emptySkipped(1);
      return;
    }
    long found = hasher.update(tar, entry.getSize());
    if (found != entry.getSize()) {
      throw new IngestException(
          "'%s' ends after %d of %d bytes: the archive is cut; make or fetch it again"
              .formatted(location, found, entry.getSize()));
    }
    byte[] name = EncodedStrings.utf8(entry.getName());
    sink.add(hasher.finish(), entry.getSize(), offset, -1, name);
  }

  private void requireSound(TarArchiveEntry entry, long offset) throws IngestException {
    if (!entry.isCheckSumOK()) {
      throw new IngestException(
          "'%s' has a member header with a wrong checksum near byte %d; make or fetch it again"
              .formatted(object.name(), offset));
    }
    if (entry.isSparse()) {
      throw new IngestException(
          "'%s!%s' is stored sparse, so its bytes do not lie in one piece; pack without --sparse"
              .formatted(object.name(), entry.getName()));
    }
  }

  // The library takes the end of the file for the end of the archive, wherever it comes.
  private void requireEndMark(long end) throws IOException {
    byte[] mark = new byte[BLOCK];
    boolean fits = object.size() - end >= BLOCK;
    if (fits) {
      store.read(object.name(), end, ByteBuffer.wrap(mark));
    }
    if (!fits || !Arrays.equals(mark, new byte[BLOCK])) {
      throw new IngestException(
          ("'%s' has no end-of-archive mark at byte %d of %d: it was cut or damaged; make or"
                  + " fetch it again")
              .formatted(object.name(), end, object.size()));
    }
  }

  private static boolean isRegular(TarArchiveEntry entry) {
    byte flag = entry.getLinkFlag();
    return (flag == TarConstants.LF_NORMAL
            || flag == TarConstants.LF_OLDNORM
            || flag == TarConstants.LF_CONTIG)
        && !entry.getName().endsWith("/");
  }

  private void requirePlain(BufferedInputStream in) throws IOException {
    in.mark(8);
    byte[] start = in.readNBytes(6);
    in.reset();
    if (compression(start) != null) {
      throw new IngestException(
          "'%s' is compressed (%s): members cannot be read one by one; decompress it first"
              .formatted(object.name(), compression(start)));
    }
  }

  private static @Nullable String compression(byte[] start) {
    if (start.length < 6) {
      return null;
    }
    int first = (start[0] & 0xFF) << 24 | (start[1] & 0xFF) << 16 | (start[2] & 0xFF) << 8;
    return switch (first >>> 8) {
      case 0x1f8b08 -> "gzip";
      case 0x28b52f -> "zstd";
      case 0xfd377a -> "xz";
      case 0x425a68 -> "bzip2";
      default -> null;
    };
  }
}
