package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.cluster.RunningCluster;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.client.BlobAnswer;
import io.quiver.client.CacheClient;
import io.quiver.client.GetRequest;
import io.quiver.client.GetRequest.Verification;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads one blob by its name. */
@Command(
    name = "get",
    description = {"Read a blob by its name.", "The bytes are checked against the name."},
    footer = {
      "  quiver get $name > picture.jpg",
      "  quiver get $name -o picture.jpg",
      "  quiver get - < name.txt          # keeps the name out of the list of processes",
      "",
      "With --json, which needs -o: {\"file\": name, \"bytes\": n}"
    })
public final class GetCommand extends Action {
  private static final int LONGEST_NAME = 200;
  private static final int LOOKED_AT = 1024;

  @Mixin private final ServerOptions servers = new ServerOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "<file>",
      description = "File for the bytes, replaced in one step (default: standard output).")
  private @Nullable Path target;

  @Parameters(
      paramLabel = "<hash>",
      description = "The blob's name, 64 hexadecimal digits; - reads it from standard input.")
  private String name;

  @Override
  ExitCode run(Output output) throws Exception {
    if (output.json() && target == null) {
      throw new CommandFailure(ExitCode.USAGE, "--json needs -o: standard output is for the JSON");
    }
    ContentHash hash = hash(output.console());
    try (RunningCluster cluster = servers.cluster(output.console());
        CacheClient client = cluster.client();
        BlobAnswer answer =
            client.get(GetRequest.all(List.of(hash)).verifiedBy(Verification.SHA256))) {
      if (!answer.failures().isEmpty()) {
        throw Addresses.of(answer.failures());
      }
      if (answer.status(0) != AskStatus.HIT) {
        throw new CommandFailure(
            ExitCode.NOT_FOUND, "the cache does not have " + hash + "; put it first");
      }
      deliver(answer.bytes(0), output);
    }
    return ExitCode.OK;
  }

  private ContentHash hash(Console console) throws IOException {
    String text =
        name.equals("-")
            ? new String(console.in().readNBytes(LONGEST_NAME), StandardCharsets.US_ASCII)
            : name;
    return ContentHash.fromHex(text.strip());
  }

  private void deliver(ByteBuffer bytes, Output output) throws IOException, CommandFailure {
    if (target != null) {
      WholeFile.write(target, bytes);
      if (output.json()) {
        output.document(new Got(target.toString(), bytes.limit()));
      }
      return;
    }
    if (output.console().outIsTerminal() && binary(bytes)) {
      throw new CommandFailure(
          ExitCode.USAGE, "this blob is not text; write it to a file with -o, or redirect it");
    }
    output.bytes(bytes);
  }

  private static boolean binary(ByteBuffer bytes) {
    for (int i = 0; i < Math.min(LOOKED_AT, bytes.limit()); i++) {
      if (bytes.get(i) == 0) {
        return true;
      }
    }
    return false;
  }

  private record Got(String file, long bytes) {}
}
