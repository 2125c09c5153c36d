package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.gateway.s3.signature.AccessKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys of clients of an S3 endpoint, and the pair to show where one was made.
 *
 * @param keys the keys
 * @param made the pair; empty where a file or nobody's signature counts
 */
record S3Access(AccessKeys keys, Optional<AccessKeys.KeyPair> made) {

  /** Decides who may use an endpoint: a file of keys says it, or only this machine may. */
  static S3Access of(@Nullable Path file, boolean anonymous, AddressOptions address, String option)
      throws CommandFailure {
    if (file != null) {
      if (anonymous) {
        throw new CommandFailure(ExitCode.USAGE, option + " and --anonymous exclude each other");
      }
      AddressOptions.requireReadable(file);
      try {
        return new S3Access(AccessKeys.of(file), Optional.empty());
      } catch (IOException e) {
        throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
      }
    }
    if (!address.isLoopback()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "listening on "
              + address.host()
              + " needs "
              + option
              + ": the endpoint lends its credentials to nobody it does not know");
    }
    if (anonymous) {
      return new S3Access(AccessKeys.anonymous(), Optional.empty());
    }
    AccessKeys.KeyPair pair = AccessKeys.KeyPair.generate();
    return new S3Access(AccessKeys.of(pair), Optional.of(pair));
  }

  /** Adds the pair that was made to a document. */
  void describe(Map<String, Object> document) {
    made.ifPresent(pair -> {
      document.put("access_key", pair.accessKey());
      document.put("secret_key", pair.secretKey().reveal());
    });
  }

  /** Returns lines to copy into a shell. */
  List<String> exports(URI endpoint) {
    List<String> lines = new ArrayList<>();
    lines.add("  export AWS_ENDPOINT_URL_S3=" + endpoint);
    made.ifPresent(pair -> {
      lines.add("  export AWS_ACCESS_KEY_ID=" + pair.accessKey());
      lines.add("  export AWS_SECRET_ACCESS_KEY=" + pair.secretKey().reveal());
    });
    return lines;
  }
}
