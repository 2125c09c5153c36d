package io.quiver.core.plan;

/**
 * What a data set has of the capacity.
 *
 * @param planned for what it is worth, or until that is known
 * @param extra what nobody has a better use for
 */
record Share(long planned, long extra) {
  static final Share NOTHING = new Share(0, 0);

  long bytes() {
    return planned + extra;
  }
}
