package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.core.hash.ContentHash;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Puts blobs into a key-value server over its own protocol, many in flight. */
final class KeyValueFill {
  private static final byte[] LINE_END = {'\r', '\n'};

  private final String name;
  private final Dialect dialect;

  /** The command that stores a value in one kind of server. */
  interface Dialect {
    /** Returns the text before the value; a line end follows the value. */
    String command(String key, int length);

    /** Returns the server's answer to each command. */
    String acknowledgement();
  }

  KeyValueFill(String name, Dialect dialect) {
    this.name = name;
    this.dialect = dialect;
  }

  void fill(int port, BlobSet set) throws BenchmarkException {
    ContentHash[] hashes = set.hashes();
    ByteBuffer content = set.content();
    int window = Math.max(1, 1_000_000 / set.bytes());
    try (SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      for (int from = 0; from < set.count(); from += window) {
        int to = Math.min(set.count(), from + window);
        for (int i = from; i < to; i++) {
          send(channel, hashes[i].toHex(), set.blob(content, i));
        }
        awaitAcknowledgements(channel, to - from);
      }
    } catch (IOException e) {
      throw new BenchmarkException("cannot fill " + name + ": " + e.getMessage(), e);
    }
  }

  private void send(SocketChannel channel, String key, ByteBuffer value) throws IOException {
    ByteBuffer[] parts = {
      ByteBuffer.wrap(dialect.command(key, value.remaining()).getBytes(StandardCharsets.US_ASCII)),
      value,
      ByteBuffer.wrap(LINE_END)
    };
    while (parts[2].hasRemaining()) {
      channel.write(parts);
    }
  }

  private void awaitAcknowledgements(SocketChannel channel, int count) throws IOException {
    String expected = dialect.acknowledgement().repeat(count);
    ByteBuffer answer = ByteBuffer.allocate(expected.length());
    while (answer.hasRemaining()) {
      if (channel.read(answer) < 0) {
        throw new EOFException(name + " closed the connection");
      }
    }
    String said = new String(answer.array(), StandardCharsets.US_ASCII);
    if (!said.equals(expected)) {
      throw new IOException(name + " did not take every blob but said " + said.lines().findFirst());
    }
  }
}
