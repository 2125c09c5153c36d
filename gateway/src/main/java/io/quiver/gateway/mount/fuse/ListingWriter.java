package io.quiver.gateway.mount.fuse;

import java.nio.ByteBuffer;

/** Writes the entries of one part of a folder's listing. */
final class ListingWriter implements FuseFileSystem.FolderReply {
  private static final int ENTRY_BYTES = 128;
  private static final int NAME_HEADER = 24;
  private static final int ALIGNMENT = 8;
  private static final int FOLDER_TYPE = 4;
  private static final int FILE_TYPE = 8;

  private final ReplyWriter writer;
  private final ByteBuffer reply;
  private final boolean withNodes;
  private final long attributesValidSeconds;

  ListingWriter(
      ReplyWriter writer, ByteBuffer reply, boolean withNodes, long attributesValidSeconds) {
    this.writer = writer;
    this.reply = reply;
    this.withNodes = withNodes;
    this.attributesValidSeconds = attributesValidSeconds;
  }

  @Override
  public boolean takesNodes() {
    return withNodes;
  }

  @Override
  public boolean fits(int nameBytes) {
    int length = (withNodes ? ENTRY_BYTES : 0) + NAME_HEADER + nameBytes;
    return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT <= reply.remaining();
  }

  @Override
  public void add(byte[] name, long inode, boolean folder, long next) {
    if (withNodes) {
      // A node number of zero tells the kernel that only the name counts.
      reply.put(new byte[ENTRY_BYTES]);
    }
    name(name, inode, folder, next);
  }

  @Override
  public void add(byte[] name, NodeEntry entry, long next) {
    writer.entry(reply, entry, attributesValidSeconds);
    name(name, entry.attributes().inode(), entry.attributes().folder(), next);
  }

  private void name(byte[] name, long inode, boolean folder, long next) {
    reply.putLong(inode).putLong(next).putInt(name.length);
    reply.putInt(folder ? FOLDER_TYPE : FILE_TYPE).put(name);
    while (reply.position() % ALIGNMENT != 0) {
      reply.put((byte) 0);
    }
  }
}
