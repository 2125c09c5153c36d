package io.quiver.benchmarks.workbench;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Equally long random blobs, one after the other in one file, with their names beside them in
 * another. Every server gets the same ones.
 *
 * @param items file with the blobs
 * @param names file with their hashes, 32 bytes each
 * @param bytes the length of a blob
 * @param count how many there are
 */
public record BlobSet(Path items, Path names, int bytes, int count) {

  /** Makes the blobs that a seed decides. */
  public static BlobSet create(Workbench workbench, int bytes, int count, long seed)
      throws BenchmarkException {
    return create(workbench, Integer.toString(bytes), bytes, count, seed);
  }

  /** Makes the blobs that a seed decides, in files of this name. */
  public static BlobSet create(Workbench workbench, String name, int bytes, int count, long seed)
      throws BenchmarkException {
    if ((long) bytes * count > Integer.MAX_VALUE - 8) {
      throw new BenchmarkException(
          count + " blobs of " + bytes + " bytes do not fit into one mapped file; use fewer");
    }
    Path items = workbench.directory().resolve("items-" + name);
    Path names = workbench.directory().resolve("names-" + name);
    BlobSet set = new BlobSet(items, names, bytes, count);
    try {
      set.fill(new SplittableRandom(seed).split().nextLong() + bytes);
    } catch (IOException | UncheckedIOException e) {
      throw new BenchmarkException("cannot write " + items + ": " + e.getMessage(), e);
    }
    return set;
  }

  private void fill(long seed) throws IOException {
    MappedByteBuffer content = mapForWriting(items, (long) bytes * count);
    MappedByteBuffer hashes = mapForWriting(names, (long) ContentHash.BYTES * count);
    IntStream.range(0, count)
        .parallel()
        .forEach(i -> {
          ByteBuffer blob = content.slice(i * bytes, bytes);
          fill(blob, new SplittableRandom(seed ^ ((long) i << 32)));
          ContentHash.ofContent(blob).write(hashes, i * ContentHash.BYTES);
        });
  }

  private static MappedByteBuffer mapForWriting(Path file, long length) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
    }
  }

  private static void fill(ByteBuffer blob, SplittableRandom random) {
    int at = 0;
    for (; at + Long.BYTES <= blob.capacity(); at += Long.BYTES) {
      blob.putLong(at, random.nextLong());
    }
    for (; at < blob.capacity(); at++) {
      blob.put(at, (byte) random.nextInt());
    }
  }

  /** Returns all blobs, read-only. */
  public ByteBuffer content() throws BenchmarkException {
    return mapForReading(items);
  }

  /** Returns one blob of {@link #content}. */
  public ByteBuffer blob(ByteBuffer content, int index) {
    return content.slice(index * bytes, bytes);
  }

  /** Returns the names of all blobs. */
  public ContentHash[] hashes() throws BenchmarkException {
    ByteBuffer buffer = mapForReading(names);
    ContentHash[] hashes = new ContentHash[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = ContentHash.read(buffer, i * ContentHash.BYTES);
    }
    return hashes;
  }

  private static ByteBuffer mapForReading(Path file) throws BenchmarkException {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    } catch (IOException e) {
      throw new BenchmarkException("cannot map " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the length of all blobs together. */
  public long setBytes() {
    return (long) bytes * count;
  }

  /** Returns this set as one argument of a command line. */
  public String toArgument() {
    return items + ":" + names + ":" + bytes + ":" + count;
  }

  /** Parses the text made by {@link #toArgument}. */
  public static BlobSet fromArgument(String argument) {
    String[] parts = argument.split(":", -1);
    return new BlobSet(
        Path.of(parts[0]),
        Path.of(parts[1]),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]));
  }
}
