package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.remote.ObjectAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads which buckets an S3 endpoint shows, as in {@code train=s3://real-bucket/train}. */
final class BucketAddresses {
  private BucketAddresses() {}

  /** Returns the address of each bucket by its name. */
  static Map<String, String> parse(List<String> words) throws CommandFailure {
    Map<String, String> buckets = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      boolean named = equals > 0 && word.substring(0, equals).matches("[A-Za-z0-9._-]+");
      String address = named ? word.substring(equals + 1) : word;
      String name = named ? word.substring(0, equals) : usualName(address);
      if (buckets.putIfAbsent(name, absolute(address)) != null) {
        throw new CommandFailure(
            ExitCode.USAGE, "two buckets are called " + name + "; write other=" + address);
      }
    }
    return buckets;
  }

  /** Names a bucket after the one it shows; a folder after its last part. */
  private static String usualName(String address) throws CommandFailure {
    String scheme = ObjectAddress.scheme(address);
    if (scheme.equals("s3") || scheme.equals("az")) {
      return ObjectAddress.parse(address).container();
    }
    if (scheme.isEmpty()) {
      Path last = Path.of(address).toAbsolutePath().normalize().getFileName();
      if (last != null) {
        return last.toString();
      }
    }
    throw new CommandFailure(ExitCode.USAGE, "name the bucket: name=" + address);
  }

  private static String absolute(String address) {
    return ObjectAddress.scheme(address).isEmpty()
        ? Path.of(address).toAbsolutePath().normalize().toString()
        : address;
  }
}
