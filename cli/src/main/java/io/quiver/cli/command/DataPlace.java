package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestMetadata;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the store of a digest: the one the user names, or else the one the digest was made from.
 */
final class DataPlace {
  private DataPlace() {}

  /**
   * The address to read from.
   *
   * @param named what the user said, if anything
   * @param remedy what to do when nobody knows
   */
  static String of(DatasetDigest digest, Path file, @Nullable String named, String remedy)
      throws CommandFailure {
    String noted = digest.metadata().get(DigestMetadata.SOURCE);
    if (named == null && noted == null) {
      throw new CommandFailure(ExitCode.USAGE, file + " does not say where its data is; " + remedy);
    }
    return named != null ? named : String.valueOf(noted);
  }
}
