package io.quiver.gateway.mount.fuse;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Writes the structures that replies are made of, as {@code linux/fuse.h} lays them out. */
final class ReplyWriter {
  private static final int FILE_MODE = 0100444;
  private static final int FOLDER_MODE = 0040555;
  private static final int BLOCK = 512;
  private static final int PAGE = 4096;
  private static final int LONGEST_NAME = 255;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int user = NativeCalls.user();
  private final int group = NativeCalls.group();

  /** Writes {@code fuse_entry_out}. */
  void entry(ByteBuffer reply, NodeEntry entry, long attributesValidSeconds) {
    reply.putLong(entry.node()).putLong(0);
    reply.putLong(entry.validNanos() / SECOND).putLong(attributesValidSeconds);
    reply.putInt((int) (entry.validNanos() % SECOND)).putInt(0);
    describe(reply, entry.attributes());
  }

  /** Writes the {@code fuse_entry_out} of a name that is known to be missing. */
  void missing(ByteBuffer reply, long validNanos) {
    reply.putLong(0).putLong(0).putLong(validNanos / SECOND).putLong(0);
    reply.putInt((int) (validNanos % SECOND)).putInt(0);
    reply.put(new byte[88]);
  }

  /** Writes {@code fuse_attr_out}. */
  void attributes(ByteBuffer reply, NodeAttributes attributes, long validSeconds) {
    reply.putLong(validSeconds).putLong(0);
    describe(reply, attributes);
  }

  /** Writes {@code fuse_attr}. A folder has one link: nobody has counted the folders in it. */
  private void describe(ByteBuffer reply, NodeAttributes attributes) {
    Instant modified = attributes.modified();
    long seconds = modified.getEpochSecond();
    int nanos = modified.getNano();
    reply.putLong(attributes.inode()).putLong(attributes.size());
    reply.putLong((attributes.size() + BLOCK - 1) / BLOCK);
    reply.putLong(seconds).putLong(seconds).putLong(seconds);
    reply.putInt(nanos).putInt(nanos).putInt(nanos);
    reply.putInt(attributes.folder() ? FOLDER_MODE : FILE_MODE);
    reply.putInt(1).putInt(user).putInt(group).putInt(0).putInt(PAGE).putInt(0);
  }

  /** Writes {@code fuse_statfs_out}: nothing can be written, and nobody knows the store's size. */
  void space(ByteBuffer reply) {
    for (int i = 0; i < 5; i++) {
      reply.putLong(0);
    }
    reply.putInt(PAGE).putInt(LONGEST_NAME).putInt(PAGE);
    reply.put(new byte[28]);
  }
}
