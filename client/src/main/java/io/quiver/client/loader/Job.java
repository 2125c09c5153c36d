package io.quiver.client.loader;

/** A job's loader. */
final class Job {
  private Job() {}

  static BatchLoader open(LoaderConfig config) {
    if (!config.job().isEmpty()) {
      throw new UnsupportedOperationException("the loader of " + config.job() + " is being built");
    }
    throw new IllegalArgumentException("a job without a name");
  }
}
