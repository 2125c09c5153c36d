package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a stream is read from the windows of its reads: a pattern counts once two windows in
 * a row agree. The long window tells skewed from random streams more surely than short ones; it
 * counts if two of the short windows before it saw the same.
 */
final class PatternVotes {
  private static final int REMEMBERED = 10;

  // The latest patterns of short windows; the next one overwrites the oldest.
  private final @Nullable AccessPattern[] votes = new AccessPattern[REMEMBERED];

  private Recognition current = Recognition.NONE;
  private AccessPattern challenger = AccessPattern.UNKNOWN;
  private Recognition latest = Recognition.NONE;
  private long windows;
  private boolean longDecided;

  /** Returns the pattern that counts, with the figures of the window that told it last. */
  Recognition current() {
    return current;
  }

  /** Returns the result of the latest window. */
  Recognition latest() {
    return latest;
  }

  long windows() {
    return windows;
  }

  /** Takes the result of a window; returns true if the pattern that counts has changed. */
  boolean vote(Recognition window) {
    windows++;
    latest = window;
    AccessPattern told = window.pattern();
    votes[(int) (windows % REMEMBERED)] = told;
    if (told == AccessPattern.UNKNOWN) {
      challenger = AccessPattern.UNKNOWN;
      return false;
    }
    if (told == current.pattern()) {
      challenger = AccessPattern.UNKNOWN;
      if (!longDecided) {
        current = window;
      }
      return false;
    }
    if (longDecided && isWhole(told)) {
      challenger = AccessPattern.UNKNOWN;
      return false;
    }
    if (told != challenger) {
      challenger = told;
      return false;
    }
    challenger = AccessPattern.UNKNOWN;
    current = window;
    longDecided = false;
    return true;
  }

  /** Takes the result of the long window; returns true if the pattern that counts has changed. */
  boolean voteLong(Recognition window) {
    int agreeing = 0;
    for (@Nullable AccessPattern vote : votes) {
      if (!isWhole(vote)) {
        return false;
      }
      agreeing += vote == window.pattern() ? 1 : 0;
    }
    if (!isWhole(window.pattern()) || agreeing < 2) {
      return false;
    }
    boolean changed = window.pattern() != current.pattern();
    current = window;
    challenger = AccessPattern.UNKNOWN;
    longDecided = true;
    return changed;
  }

  private static boolean isWhole(@Nullable AccessPattern pattern) {
    return pattern == AccessPattern.RANDOM || pattern == AccessPattern.SKEWED;
  }
}
