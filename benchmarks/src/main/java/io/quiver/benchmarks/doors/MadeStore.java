package io.quiver.benchmarks.doors;

import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A store whose objects are made up as they are read, so that no disk is measured. */
final class MadeStore implements RemoteStore {
  private final MadeFiles files;

  MadeStore(MadeFiles files) {
    this.files = files;
  }

  @Override
  public Stream<RemoteObject> list(String prefix) {
    return IntStream.range(0, files.count())
        .mapToObj(number -> object(MadeFiles.name(number)))
        .filter(object -> object.name().startsWith(prefix));
  }

  private RemoteObject object(String name) {
    return new RemoteObject(name, files.bytes(), "1");
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    number(name);
    return object(name);
  }

  private int number(String name) throws NoSuchFileException {
    int number = files.number(name);
    if (number < 0) {
      throw new NoSuchFileException(name);
    }
    return number;
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    int number = number(name);
    if (offset + target.remaining() > files.bytes()) {
      throw new EOFException(name + " ends before " + (offset + target.remaining()));
    }
    files.copy(number, offset, target);
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    long end = length < 0 ? files.bytes() : Math.min(files.bytes(), offset + length);
    return new MadeStream(number(name), offset, end);
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    return open(object.name(), offset, length);
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    read(object.name(), offset, target);
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return new ObjectDetails(stat(name), "", Map.of());
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    return new FirstBytes(details(name), open(name, 0, most));
  }

  /** Returns a page of the only folder there is, without looking at what lies before it. */
  @Override
  public ListingPage page(ListingRequest request) {
    String after = request.token() == null ? request.startAfter() : request.token();
    List<RemoteObject> page =
        IntStream.range(Math.max(0, files.number(after)), files.count())
            .mapToObj(number -> object(MadeFiles.name(number)))
            .filter(object -> object.name().compareTo(after) > 0)
            .filter(object -> object.name().startsWith(request.prefix()))
            .limit(request.maxEntries())
            .toList();
    boolean full = page.size() == request.maxEntries();
    return new ListingPage(page, List.of(), full ? page.getLast().name() : null);
  }

  @Override
  public String uri() {
    return "made:/";
  }

  @Override
  public void close() {}

  /** Makes the bytes of one range. */
  private final class MadeStream extends InputStream {
    private final int number;
    private final long end;
    private long at;

    private MadeStream(int number, long from, long end) {
      this.number = number;
      this.at = from;
      this.end = end;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = (int) Math.min(length, end - at);
      if (count <= 0) {
        return length == 0 ? 0 : -1;
      }
      files.copy(number, at, ByteBuffer.wrap(target, offset, count));
      at += count;
      return count;
    }
  }
}
