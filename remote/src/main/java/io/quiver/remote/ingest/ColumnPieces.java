package io.quiver.remote.ingest;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Reads a column from front to back in pieces that hold whole entries of every width. */
final class ColumnPieces {
  /** A multiple of 4, 8, 32 and 40. */
  private static final int PIECE_BYTES = 160 << 10;

  private ColumnPieces() {}

  /** Gets each piece in turn, little-endian, from position 0 to the limit. */
  interface Use {
    void accept(ByteBuffer piece) throws IOException;
  }

  static void each(FileChannel column, long length, Use use) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long done = 0; done < length; done += PIECE_BYTES) {
      piece.clear().limit((int) Math.min(PIECE_BYTES, length - done));
      while (piece.hasRemaining()) {
        if (column.read(piece, done + piece.position()) < 0) {
          throw new EOFException("a column of the unfinished digest was cut while it was read");
        }
      }
      use.accept(piece.flip());
    }
  }
}
