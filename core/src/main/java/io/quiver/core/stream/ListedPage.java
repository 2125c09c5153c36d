package io.quiver.core.stream;

import java.util.List;

/**
 * One page of a directory's listing.
 *
 * @param names the names of files and directories in it, sorted, without slashes
 * @param bytes how long each file is; -1 for a directory
 * @param first true if the listing begins with it
 * @param last true if the listing ends with it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ListedPage(List<String> names, long[] bytes, boolean first, boolean last) {}
