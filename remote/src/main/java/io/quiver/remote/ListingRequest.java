package io.quiver.remote;

import org.jspecify.annotations.Nullable;

/**
 * A question for one page of a listing, in the order of the UTF-8 bytes of names.
 *
 * @param prefix what names begin with; empty for all
 * @param delimiter groups names by what stands between the prefix and the next delimiter; empty for
 *     no grouping
 * @param startAfter the listing begins behind this name; empty for the beginning. A token goes
 *     before it
 * @param token {@link ListingPage#next} of the page before; null for the first page
 * @param maxEntries the most entries (objects and groups together), 1 to {@link #MAX_ENTRIES}; a
 *     store may give fewer
 */
public record ListingRequest(
    String prefix, String delimiter, String startAfter, @Nullable String token, int maxEntries) {
  /** The most entries of a page. */
  public static final int MAX_ENTRIES = 1000;

  /** Checks the number of entries. */
  public ListingRequest {
    if (maxEntries < 1 || maxEntries > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "a page of a listing has 1 to " + MAX_ENTRIES + " entries, not " + maxEntries);
    }
  }

  /** Returns a question for the first page of everything below a prefix, not grouped. */
  public static ListingRequest all(String prefix) {
    return new ListingRequest(prefix, "", "", null, MAX_ENTRIES);
  }

  /** Returns a question for the first page of one folder: a name that is empty or ends in "/". */
  public static ListingRequest folder(String prefix) {
    return new ListingRequest(prefix, "/", "", null, MAX_ENTRIES);
  }

  /** Returns the question for the page after one that named this token; null for the first. */
  public ListingRequest after(@Nullable String next) {
    return new ListingRequest(prefix, delimiter, startAfter, next, maxEntries);
  }
}
