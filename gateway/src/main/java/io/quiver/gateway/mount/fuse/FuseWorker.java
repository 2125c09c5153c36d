package io.quiver.gateway.mount.fuse;

import io.quiver.gateway.mount.fuse.FuseFileSystem.ReadReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one request at a time: takes it apart, asks the file system, writes the reply. The shapes
 * of messages are those of {@code linux/fuse.h}.
 */
final class FuseWorker {
  private static final Logger log = LoggerFactory.getLogger(FuseWorker.class);

  private static final int LOOKUP = 1;
  private static final int FORGET = 2;
  private static final int GETATTR = 3;
  private static final int OPEN = 14;
  private static final int READ = 15;
  private static final int STATFS = 17;
  private static final int RELEASE = 18;
  private static final int GETXATTR = 22;
  private static final int LISTXATTR = 23;
  private static final int INIT = 26;
  private static final int OPENDIR = 27;
  private static final int READDIR = 28;
  private static final int RELEASEDIR = 29;
  private static final int DESTROY = 38;
  private static final int BATCH_FORGET = 42;
  private static final int READDIRPLUS = 44;

  private static final int HEADER = 40;
  private static final int KEEP_CACHE = 2;

  /** A node is one version of an object, so its attributes never change. */
  private static final long ATTRIBUTES_VALID_SECONDS = 86_400;

  private final FuseServer server;
  private final FuseFileSystem files;
  private final FuseChannel channel;
  private final ReplyWriter writer = new ReplyWriter();
  private final Answer answer = new Answer();

  FuseWorker(FuseServer server, FuseChannel channel) {
    this.server = server;
    this.files = server.files();
    this.channel = channel;
  }

  void answer(ByteBuffer request) {
    int opcode = request.getInt(4);
    long unique = request.getLong(8);
    long node = request.getLong(16);
    int process = request.getInt(32);
    request.position(HEADER);
    try {
      if (isAnswered(opcode, node, request)) {
        dispatch(opcode, unique, node, process, request);
      }
    } catch (FuseFailure failure) {
      channel.fail(unique, failure.errno());
    } catch (RuntimeException | Error failure) {
      log.error("a request of kind {} failed inside", opcode, failure);
      channel.fail(unique, FuseErrno.EIO);
    }
  }

  /** Takes in the messages that have no reply; returns true for all others. */
  private boolean isAnswered(int opcode, long node, ByteBuffer body) {
    switch (opcode) {
      case FORGET -> files.forget(node, body.getLong());
      case BATCH_FORGET -> {
        int count = body.getInt();
        body.getInt();
        for (int i = 0; i < count; i++) {
          files.forget(body.getLong(), body.getLong());
        }
      }
      default -> {
        return true;
      }
    }
    return false;
  }

  private void dispatch(int opcode, long unique, long node, int process, ByteBuffer body)
      throws FuseFailure {
    switch (opcode) {
      case LOOKUP -> lookup(unique, node, body);
      case GETATTR -> {
        writer.attributes(channel.payload(), files.attributes(node), ATTRIBUTES_VALID_SECONDS);
        channel.sendPayload(unique);
      }
      case READ -> read(unique, node, process, body);
      case OPEN -> open(unique);
      case OPENDIR -> opened(unique, files.openFolder(node), 0);
      case READDIR -> list(unique, body, false);
      case READDIRPLUS -> list(unique, body, true);
      case RELEASEDIR -> {
        files.closeFolder(body.getLong());
        empty(unique);
      }
      case GETXATTR -> extendedAttribute(unique, node, body);
      case LISTXATTR -> extendedAttributes(unique, node, body);
      case STATFS -> {
        writer.space(channel.payload());
        channel.sendPayload(unique);
      }
      case INIT -> begin(unique, body);
      case RELEASE, DESTROY -> empty(unique);
      default -> throw new FuseFailure(FuseErrno.ENOSYS);
    }
  }

  private void begin(long unique, ByteBuffer body) throws FuseFailure {
    if (!server.features().agree(body, channel.payload())) {
      log.error("this kernel's FUSE is too old; Linux 4.20 or newer is needed");
      throw new FuseFailure(FuseErrno.EINVAL);
    }
    channel.sendPayload(unique);
    server.markStarted();
  }

  private void lookup(long unique, long folder, ByteBuffer body) throws FuseFailure {
    NodeEntry entry;
    try {
      entry = files.lookup(folder, name(body));
    } catch (FuseFailure failure) {
      long missing = server.settings().missingNanos();
      if (failure.errno() != FuseErrno.ENOENT || missing == 0) {
        throw failure;
      }
      writer.missing(channel.payload(), missing);
      channel.sendPayload(unique);
      return;
    }
    writer.entry(channel.payload(), entry, ATTRIBUTES_VALID_SECONDS);
    channel.sendPayload(unique);
  }

  /** Returns the bytes of a name that ends with a zero. */
  private static ByteBuffer name(ByteBuffer body) {
    int end = body.position();
    while (body.get(end) != 0) {
      end++;
    }
    return body.slice(body.position(), end - body.position());
  }

  /**
   * Tells the kernel to open files by itself: a node is one version of an object, so there is
   * nothing to find out, and two messages a file are saved.
   */
  private void open(long unique) throws FuseFailure {
    if (server.features().noOpen()) {
      throw new FuseFailure(FuseErrno.ENOSYS);
    }
    opened(unique, 0, KEEP_CACHE);
  }

  private void opened(long unique, long handle, int flags) {
    channel.payload().putLong(handle).putInt(flags).putInt(0);
    channel.sendPayload(unique);
  }

  private void empty(long unique) {
    channel.payload();
    channel.sendPayload(unique);
  }

  private void read(long unique, long node, int process, ByteBuffer body) throws FuseFailure {
    body.getLong();
    long offset = body.getLong();
    int length = Math.min(body.getInt(), FuseChannel.MAX_PAYLOAD);
    answer.begin(unique);
    files.read(node, process, offset, length, answer);
    answer.end();
  }

  private void list(long unique, ByteBuffer body, boolean withNodes) throws FuseFailure {
    long handle = body.getLong();
    long position = body.getLong();
    int length = Math.min(body.getInt(), FuseChannel.MAX_PAYLOAD);
    ByteBuffer payload = channel.payload().limit(length);
    files.readFolder(
        handle, position, new ListingWriter(writer, payload, withNodes, ATTRIBUTES_VALID_SECONDS));
    channel.sendPayload(unique);
  }

  private void extendedAttribute(long unique, long node, ByteBuffer body) throws FuseFailure {
    int length = body.getInt();
    body.getInt();
    byte[] value =
        files.extendedAttribute(node, StandardCharsets.UTF_8.decode(name(body)).toString());
    if (value == null) {
      throw new FuseFailure(FuseErrno.ENODATA);
    }
    sized(unique, length, value);
  }

  private void extendedAttributes(long unique, long node, ByteBuffer body) throws FuseFailure {
    int length = body.getInt();
    List<String> names = files.extendedAttributes(node);
    StringBuilder all = new StringBuilder();
    names.forEach(name -> all.append(name).append('\0'));
    sized(unique, length, all.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a value, or its length to a caller that has no place for it yet. */
  private void sized(long unique, int place, byte[] value) throws FuseFailure {
    if (place == 0) {
      channel.payload().putInt(value.length).putInt(0);
    } else if (place < value.length) {
      throw new FuseFailure(FuseErrno.ERANGE);
    } else {
      channel.payload().put(value);
    }
    channel.sendPayload(unique);
  }

  /** Sends the bytes of one read, from the buffer it lends or from the file system's own. */
  private final class Answer implements ReadReply {
    private long unique;
    private boolean sent;
    private ByteBuffer lent = ByteBuffer.allocate(0);

    private void begin(long request) {
      unique = request;
      sent = false;
      lent = channel.payload();
    }

    @Override
    public ByteBuffer buffer() {
      return lent;
    }

    @Override
    public void send(ByteBuffer bytes) {
      sent = true;
      channel.send(unique, bytes);
    }

    private void end() {
      if (!sent) {
        channel.sendPayload(unique);
      }
    }
  }
}
