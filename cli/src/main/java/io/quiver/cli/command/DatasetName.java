package io.quiver.cli.command;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.remote.ingest.DigestFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A data set as people name it: by its digest, or by the 16 digits that plans show. */
final class DatasetName {
  private static final Pattern KEY = Pattern.compile("[0-9a-f]{16}");

  private DatasetName() {}

  static DatasetKey parse(String text) throws Exception {
    Path file = Path.of(text);
    if (KEY.matcher(text).matches() && !Files.exists(file)) {
      return new DatasetKey(text);
    }
    try (DigestFile digest = DigestFile.open(file)) {
      return DatasetKey.of(digest.digest().identity());
    }
  }
}
