package io.quiver.core.dataset;

import io.quiver.core.hash.ContentHash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.zip.CRC32;

/** The thorough check of a digest: reads all of it once, in pieces, with one small buffer. */
final class DigestVerification {
  private static final int PIECE = 1 << 16;
  private static final String REBUILD = "the file is damaged: copy it again or build it again";

  private final DatasetDigest digest;
  private final MemorySegment file;
  private final byte[] piece;

  DigestVerification(DatasetDigest digest, MemorySegment file) {
    this.digest = digest;
    this.file = file;
    this.piece = new byte[(int) Math.min(PIECE, file.byteSize())];
  }

  void run() {
    for (PlacedSection section : digest.header().sections()) {
      checkCrc(section);
      checkPadding(section);
    }
    checkIdentity();
    checkItems();
    for (StringTable table : digest.stringTables()) {
      table.verify();
    }
    checkMetadata();
  }

  private void checkCrc(PlacedSection section) {
    CRC32 crc = new CRC32();
    eachPiece(section, length -> crc.update(piece, 0, length));
    if ((int) crc.getValue() != section.crc()) {
      throw new DigestFormatException(
          section.position(),
          "CRC of %s is %08x, its bytes give %08x"
              .formatted(section.label(), section.crc(), crc.getValue()),
          REBUILD);
    }
  }

  private void checkPadding(PlacedSection section) {
    for (long at = section.position() + section.bytes(); at < section.paddedEnd(); at++) {
      byte value = file.get(ValueLayout.JAVA_BYTE, at);
      if (value != 0) {
        throw new DigestFormatException(at, "padding holds " + value + ", not 0", REBUILD);
      }
    }
  }

  private void checkIdentity() {
    MessageDigest sha = ContentHash.newDigest();
    PlacedSection hashes = digest.header().sections().getFirst();
    eachPiece(hashes, length -> sha.update(piece, 0, length));
    if (!ContentHash.of(sha.digest()).equals(digest.identity())) {
      throw new DigestFormatException(
          DigestHeader.IDENTITY_AT, "the identity does not belong to these hashes", REBUILD);
    }
  }

  private void checkItems() {
    int classes = digest.classNames().size();
    long total = 0;
    long largest = 0;
    for (int i = 0; i < digest.itemCount(); i++) {
      long size = digest.size(i);
      largest = Math.max(largest, size);
      total = checkSum(i, total, size);
      checkSum(i, digest.offset(i), size);
      digest.objectIndex(i);
      digest.length(i);
      if (classes > 0 && digest.label(i) >= classes) {
        throw new DigestFormatException(
            DigestHeader.FIXED_BYTES,
            "item %d has label %d of %d classes".formatted(i, digest.label(i), classes),
            REBUILD);
      }
    }
    if (total != digest.totalBytes() || largest != digest.largestItem()) {
      throw new DigestFormatException(
          DigestHeader.TOTAL_BYTES_AT,
          "header says %d bytes and largest item %d, the items give %d and %d"
              .formatted(digest.totalBytes(), digest.largestItem(), total, largest),
          REBUILD);
    }
  }

  private static long checkSum(int item, long left, long right) {
    long sum = left + right;
    if (sum < 0) {
      throw new DigestFormatException(
          DigestHeader.TOTAL_BYTES_AT,
          "sizes up to item %d add up beyond 64 bits".formatted(item),
          REBUILD);
    }
    return sum;
  }

  private void checkMetadata() {
    StringTable metadata = digest.stringTables()[1];
    if (metadata.count() != 2L * digest.metadata().size()) {
      throw new DigestFormatException(
          DigestHeader.FIXED_BYTES,
          metadata.count() + " metadata strings do not form pairs of distinct keys and values",
          REBUILD);
    }
  }

  private void eachPiece(PlacedSection section, PieceUse use) {
    for (long done = 0; done < section.bytes(); done += PIECE) {
      int length = (int) Math.min(PIECE, section.bytes() - done);
      MemorySegment.copy(file, ValueLayout.JAVA_BYTE, section.position() + done, piece, 0, length);
      use.accept(length);
    }
  }

  private interface PieceUse {
    void accept(int length);
  }
}
