package io.quiver.remote.retry;

import io.quiver.remote.ListingPage;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Reads a listing page by page, fetching each when the one before it is used up. */
final class PagedListing implements Iterator<RemoteObject> {

  /** Fetches one page. */
  interface Pages {
    ListingPage fetch(@Nullable String token) throws IOException;
  }

  private final Pages pages;
  private final String uri;
  private Iterator<RemoteObject> page = Collections.emptyIterator();
  private @Nullable String token;
  private boolean finished;

  PagedListing(Pages pages, String uri) {
    this.pages = pages;
    this.uri = uri;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && !finished) {
      fetch();
    }
    return page.hasNext();
  }

  @Override
  public RemoteObject next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the listing has ended");
    }
    return page.next();
  }

  private void fetch() {
    try {
      ListingPage fetched = pages.fetch(token);
      if (fetched.next() != null && fetched.next().equals(token)) {
        throw new IOException(uri + " gave the same page of its listing twice");
      }
      page = fetched.objects().stream().filter(PagedListing::isNoMarker).iterator();
      token = fetched.next();
      finished = token == null;
    } catch (IOException trouble) {
      throw new UncheckedIOException(trouble);
    }
  }

  /** Returns false for an empty object that consoles write to make a folder show. */
  private static boolean isNoMarker(RemoteObject object) {
    return !(object.name().endsWith("/") && object.size() == 0);
  }
}
