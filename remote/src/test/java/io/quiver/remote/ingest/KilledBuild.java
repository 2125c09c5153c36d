package io.quiver.remote.ingest;

import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.file.FileStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A program that digests a folder, stops in the middle, says so and waits to be killed: arguments
 * are the folder and the output.
 */
final class KilledBuild {
  static final int OBJECTS_SAFE_AT_THE_STOP = 16;
  static final int READS_BEFORE_THE_STOP = 200;

  private KilledBuild() {}

  public static void main(String[] arguments) throws Exception {
    Path output = Path.of(arguments[1]);
    try (FileStore files = FileStore.open(Path.of(arguments[0]))) {
      IngestOptions options = Ingesting.options().withWork(2, Duration.ZERO);
      Ingesting.build(new StoppingStore(files, output), output, options);
    }
  }

  /** Blocks all readers once enough was read, as soon as some of it is safe on disk. */
  private record StoppingStore(RemoteStore files, Path output, AtomicInteger reads)
      implements RemoteStore {
    StoppingStore(RemoteStore files, Path output) {
      this(files, output, new AtomicInteger());
    }

    @Override
    public Stream<RemoteObject> list(String prefix) throws IOException {
      return files.list(prefix);
    }

    @Override
    public RemoteObject stat(String name) throws IOException {
      return files.stat(name);
    }

    @Override
    public ListingPage page(ListingRequest request) throws IOException {
      return files.page(request);
    }

    @Override
    public ObjectDetails details(String name) throws IOException {
      return files.details(name);
    }

    @Override
    public FirstBytes first(String name, long most) throws IOException {
      return files.first(name, most);
    }

    @Override
    public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
      files.read(object, offset, target);
    }

    @Override
    public InputStream open(RemoteObject object, long offset, long length) throws IOException {
      return files.open(object, offset, length);
    }

    @Override
    public void read(String name, long offset, ByteBuffer target) throws IOException {
      files.read(name, offset, target);
    }

    @Override
    public InputStream open(String name, long offset, long length) throws IOException {
      if (reads.incrementAndGet() == READS_BEFORE_THE_STOP) {
        announce();
      }
      while (reads.get() >= READS_BEFORE_THE_STOP) {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      }
      return files.open(name, offset, length);
    }

    @Override
    public String uri() {
      return files.uri();
    }

    @Override
    public void close() {
      files.close();
    }

    private void announce() throws IOException {
      Path journal = PartialFolder.pathFor(output).resolve("run-1/journal");
      while (objectsSafe(Files.readAllBytes(journal)) < OBJECTS_SAFE_AT_THE_STOP) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      System.out.println("stopped");
    }

    /** Returns the objects of the last whole mark of a journal. */
    private static long objectsSafe(byte[] journal) {
      int marks = journal.length / RunMark.BYTES;
      if (marks == 0) {
        return 0;
      }
      byte[] last = Arrays.copyOfRange(journal, (marks - 1) * RunMark.BYTES, marks * RunMark.BYTES);
      return RunMark.read(last).map(RunMark::objects).orElse(0L);
    }
  }
}
