package io.quiver.gateway.mount.fuse;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read-only file system as the kernel asks for it: by the numbers of nodes. The root's number is
 * {@link #ROOT}. Many threads call at a time.
 *
 * <p>Each {@link NodeEntry} handed out counts one lookup of its node; the node's number is valid
 * until {@link #forget} has taken all of them back.
 */
public interface FuseFileSystem {
  /** The number of the root. */
  long ROOT = 1;

  /**
   * Finds a name in a folder.
   *
   * @param name the bytes of the name in UTF-8
   */
  NodeEntry lookup(long folder, ByteBuffer name) throws FuseFailure;

  /** Takes back lookups of a node. */
  void forget(long node, long lookups);

  /** Returns the attributes of a node. */
  NodeAttributes attributes(long node) throws FuseFailure;

  /**
   * Reads a part of a file into the reply. The part ends early only where the file does.
   *
   * @param reader tells readers of one file apart
   */
  void read(long node, int reader, long offset, int length, ReadReply reply) throws FuseFailure;

  /** Opens a folder for listing and returns a handle. */
  long openFolder(long node) throws FuseFailure;

  /** Adds entries from a position on until the reply is full or the folder ends. */
  void readFolder(long handle, long position, FolderReply reply) throws FuseFailure;

  /** Closes the handle of a folder. */
  void closeFolder(long handle);

  /** Returns the value of an extended attribute, or null if the node has none of this name. */
  byte @Nullable [] extendedAttribute(long node, String name) throws FuseFailure;

  /** Returns the names of a node's extended attributes. */
  List<String> extendedAttributes(long node) throws FuseFailure;

  /** Takes the bytes of a read. */
  interface ReadReply {
    /** Returns a buffer with place for all bytes asked for. What is written into it is sent. */
    ByteBuffer buffer();

    /** Sends all the bytes of the answer at once, from the caller's own direct buffer. */
    void send(ByteBuffer bytes);
  }

  /** Takes the entries of a folder. */
  interface FolderReply {
    /** Returns true if the reply carries the nodes of its entries. */
    boolean takesNodes();

    /** Returns true if an entry with a name of this length still fits. */
    boolean fits(int nameBytes);

    /**
     * Adds an entry without a node.
     *
     * @param next the position of the entry after it
     */
    void add(byte[] name, long inode, boolean folder, long next);

    /** Adds an entry with its node. */
    void add(byte[] name, NodeEntry entry, long next);
  }
}
