package io.quiver.gateway.mount.fuse;

import java.nio.ByteBuffer;

/** Agrees with the kernel on a version of the protocol and on its optional parts. */
final class FuseFeatures {
  private static final int MAJOR = 7;

  /** The oldest version whose messages have the shapes used here (Linux 4.20). */
  private static final int OLDEST_MINOR = 28;

  private static final int NEWEST_MINOR = 38;

  private static final int ASYNC_READ = 1;
  private static final int LISTINGS_WITH_NODES = 1 << 13;
  private static final int LISTINGS_WITH_NODES_AUTO = 1 << 14;
  private static final int NO_OPEN = 1 << 17;
  private static final int PARALLEL_FOLDERS = 1 << 18;
  private static final int MAX_PAGES = 1 << 22;
  private static final int WANTED =
      ASYNC_READ
          | LISTINGS_WITH_NODES
          | LISTINGS_WITH_NODES_AUTO
          | NO_OPEN
          | PARALLEL_FOLDERS
          | MAX_PAGES;

  private static final short BACKGROUND = 64;
  private static final short CONGESTION = 48;
  private static final int LEAST_WRITE = 4096;
  private static final int PAGE = 4096;
  private static final int REPLY_BYTES = 64;

  private volatile boolean noOpen;

  /**
   * Answers the kernel's first message.
   *
   * @return true if both understand each other
   */
  boolean agree(ByteBuffer request, ByteBuffer reply) {
    int major = request.getInt();
    int minor = request.getInt();
    int readAhead = request.getInt();
    int flags = request.getInt() & WANTED;
    if (major != MAJOR || minor < OLDEST_MINOR) {
      return false;
    }
    noOpen = (flags & NO_OPEN) != 0;
    reply.putInt(MAJOR).putInt(Math.min(minor, NEWEST_MINOR));
    reply.putInt(Math.max(readAhead, 4 * FuseChannel.MAX_PAYLOAD)).putInt(flags);
    reply.putShort(BACKGROUND).putShort(CONGESTION);
    reply.putInt(LEAST_WRITE).putInt(1);
    reply.putShort((short) (FuseChannel.MAX_PAYLOAD / PAGE)).putShort((short) 0);
    while (reply.position() < REPLY_BYTES) {
      reply.putInt(0);
    }
    return true;
  }

  /** Returns true if the kernel can do without messages that open and close files. */
  boolean noOpen() {
    return noOpen;
  }
}
