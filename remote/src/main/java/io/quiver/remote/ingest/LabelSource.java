package io.quiver.remote.ingest;

import java.util.Locale;

/** Whether and how items are labelled. */
public enum LabelSource {
  /**
   * Whole objects from the first folder below the root, as torchvision's ImageFolder does: classes
   * are numbered in the order of their names. Objects outside any folder get no label; without any
   * folder the digest has no labels at all. Records have the labels that their files hold.
   */
  DIRECTORY,
  /** Items have no labels. */
  NONE;

  /** The word for it on the command line and in a digest's metadata. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
