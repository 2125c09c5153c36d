package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.cluster.RunningCluster;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.client.Blob;
import io.quiver.client.CacheClient;
import io.quiver.client.PutAnswer;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.Receipt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Inserts files as blobs. */
@Command(
    name = "put",
    description = {
      "Insert files as blobs.",
      "Prints the name of each blob, the SHA-256 of its bytes."
    },
    footer = {
      "  quiver put picture.jpg",
      "  quiver put --space cats *.jpg",
      "  tar c folder | quiver put -",
      "",
      "With --json: [{\"file\": name, \"hash\": hex, \"bytes\": n, \"outcome\": word}…]; the outcome"
          + " is",
      "stored, already_here, too_large, no_room, disk_failure or hash_mismatch."
    })
public final class PutCommand extends Action {
  /** The bytes sent in one request; a longer blob goes alone. */
  private static final long BATCH_BYTES = 32L << 20;

  private static final int BATCH_BLOBS = 256;

  @Mixin private final ServerOptions servers = new ServerOptions();

  @Option(
      names = "--space",
      paramLabel = "<name>",
      defaultValue = "default",
      description = "Space of the blobs (default: ${DEFAULT-VALUE}).")
  private SpaceId space;

  @Parameters(
      arity = "1..*",
      paramLabel = "<file>",
      description = "Files to insert; - is standard input.")
  private List<String> files;

  @Override
  ExitCode run(Output output) throws Exception {
    List<BlobSource> sources = new ArrayList<>();
    for (String file : files) {
      sources.add(BlobSource.of(file, output.console()));
    }
    List<Stored> stored = new ArrayList<>();
    try (RunningCluster cluster = servers.cluster(output.console());
        CacheClient client = cluster.client();
        Progress progress = output.progress("putting", Progress.Unit.BYTES)) {
      progress.total(sources.stream().mapToLong(BlobSource::bytes).sum());
      for (List<BlobSource> batch : batches(sources)) {
        stored.addAll(put(client, batch));
        progress.update(stored.stream().mapToLong(Stored::bytes).sum());
      }
    }
    report(stored, output);
    return stored.stream().allMatch(Stored::here) ? ExitCode.OK : ExitCode.FAILED;
  }

  private static List<List<BlobSource>> batches(List<BlobSource> sources) {
    List<List<BlobSource>> batches = new ArrayList<>();
    long bytes = 0;
    for (BlobSource source : sources) {
      boolean full =
          batches.isEmpty()
              || bytes + source.bytes() > BATCH_BYTES
              || batches.getLast().size() == BATCH_BLOBS;
      if (full) {
        batches.add(new ArrayList<>());
        bytes = 0;
      }
      batches.getLast().add(source);
      bytes += source.bytes();
    }
    return batches;
  }

  private List<Stored> put(CacheClient client, List<BlobSource> batch)
      throws IOException, CommandFailure {
    List<Blob> blobs = new ArrayList<>();
    for (BlobSource source : batch) {
      var content = source.content();
      blobs.add(new Blob(ContentHash.ofContent(content), space, content));
    }
    PutAnswer answer = client.put(blobs);
    if (!answer.failures().isEmpty()) {
      throw Addresses.of(answer.failures());
    }
    List<Stored> stored = new ArrayList<>();
    for (int i = 0; i < blobs.size(); i++) {
      Receipt receipt = answer.receipt(i).orElse(Receipt.DISK_FAILURE);
      Blob blob = blobs.get(i);
      stored.add(
          new Stored(
              batch.get(i).name(),
              blob.hash().toHex(),
              blob.content().remaining(),
              receipt.name().toLowerCase(Locale.ROOT),
              receipt.here()));
    }
    return stored;
  }

  private void report(List<Stored> stored, Output output) {
    if (output.json()) {
      output.document(stored.stream().map(Stored::document).toList());
      return;
    }
    for (Stored each : stored) {
      if (each.here()) {
        output.line(each.hash() + "  " + each.file());
      } else {
        output.warning(each.file() + " was not stored: " + remedy(each.outcome()));
      }
    }
  }

  private String remedy(String outcome) {
    return switch (outcome) {
      case "no_room" -> "the cache is full; drop a space (quiver space drop) or raise --capacity";
      case "too_large" -> "it is longer than the server takes (quiver server --max-blob)";
      case "not_planned" -> "the cluster's plan has no such space; choose another with --space";
      case "hash_mismatch" -> "it changed while it was being sent; try again";
      default -> "the server's disks refused it; see the server's log";
    };
  }

  private record Stored(String file, String hash, long bytes, String outcome, boolean here) {
    Document document() {
      return new Document(file, hash, bytes, outcome);
    }
  }

  private record Document(String file, String hash, long bytes, String outcome) {}
}
