package io.quiver.cli.command;

import java.net.URI;
import java.util.List;

/** Lines to copy into a shell: put a blob with curl and get it back. */
final class CurlExample {
  private CurlExample() {}

  static List<String> lines(URI server, ListenOptions listen) {
    String curl = listen.certificate().map(file -> "curl --cacert '" + file + "'").orElse("curl");
    return List.of(
        "Try it:",
        "  echo 'hello, quiver' > hello.txt",
        "  name=$(sha256sum < hello.txt | cut -c1-64)",
        "  " + curl + " -T hello.txt " + server + "/v1/blobs/$name",
        "  " + curl + " " + server + "/v1/blobs/$name");
  }
}
