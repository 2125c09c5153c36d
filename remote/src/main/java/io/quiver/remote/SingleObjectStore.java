package io.quiver.remote;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.stream.Stream;

/** Presents one object of a store as a store of its own, for addresses that name an object. */
public final class SingleObjectStore implements RemoteStore {
  private final RemoteStore folder;
  private final String name;
  private final String uri;

  public SingleObjectStore(RemoteStore folder, String name, String uri) {
    this.folder = folder;
    this.name = name;
    this.uri = uri;
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    return name.startsWith(prefix) ? Stream.of(folder.stat(name)) : Stream.empty();
  }

  @Override
  public RemoteObject stat(String wanted) throws IOException {
    return folder.stat(checked(wanted));
  }

  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    List<String> names = name.startsWith(request.prefix()) ? List.of(name) : List.of();
    return PageCut.of(names.iterator(), request, folder::stat);
  }

  @Override
  public ObjectDetails details(String wanted) throws IOException {
    return folder.details(checked(wanted));
  }

  @Override
  public FirstBytes first(String wanted, long most) throws IOException {
    return folder.first(checked(wanted), most);
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    checked(object.name());
    folder.read(object, offset, target);
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    checked(object.name());
    return folder.open(object, offset, length);
  }

  @Override
  public void read(String wanted, long offset, ByteBuffer target) throws IOException {
    folder.read(checked(wanted), offset, target);
  }

  @Override
  public InputStream open(String wanted, long offset, long length) throws IOException {
    return folder.open(checked(wanted), offset, length);
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public void close() {
    folder.close();
  }

  private String checked(String wanted) throws NoSuchFileException {
    if (!wanted.equals(name)) {
      throw new NoSuchFileException(wanted, null, uri + " has the single object '" + name + "'");
    }
    return wanted;
  }
}
