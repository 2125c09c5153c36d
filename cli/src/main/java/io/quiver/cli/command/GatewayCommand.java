package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.gateway.s3.GatewayConfig;
import io.quiver.gateway.s3.S3Gateway;
import io.quiver.gateway.s3.store.BucketOpener;
import io.quiver.report.Paint;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows buckets and folders as an S3 endpoint that is read through the cache. */
@Command(
    name = "gateway",
    description = {
      "Serve buckets to S3 clients, read through the cache.",
      "Folders become buckets as well. Programs change their endpoint and nothing else. Writes go on to the store with the"
          + " credentials of this process; clients sign with keys of this endpoint's own. Without"
          + " --keys a pair is made that is good until the end."
    },
    footer = {
      "  quiver gateway s3://imagenet                          # as the bucket imagenet",
      "  quiver gateway train=s3://imagenet/train /data/labels --cache http://cache-host:7400",
      "  quiver gateway s3://imagenet --keys keys --host 0.0.0.0 --tls-cert c.pem --tls-key k.pem",
      "  quiver gateway s3://imagenet --port 0 --json          # any free port; one line when ready",
      "",
      "A line of the file of keys, which only its owner may read:",
      "  ACCESS_KEY SECRET_KEY USER PROFILE GRANT…    # a profile for the store, or - for this",
      "  AKIDALICE a-long-secret-key alice - read:imagenet write:labels/alice/",
      "",
      "With --json, one line when ready: {\"endpoint\": url, \"pid\": n}; a pair that was made is in",
      "it as \"access_key\" and \"secret_key\"."
    })
public final class GatewayCommand extends Action {
  private static final int LONGEST_SECONDS = 86_400;
  private static final double NANOS = 1e9;

  @Parameters(
      arity = "1..*",
      paramLabel = "[<name>=]<uri>",
      description = "Buckets to show: a name, and the address of a bucket or folder.")
  private List<String> buckets;

  @Mixin private final AddressOptions address = new AddressOptions();

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "" + GatewayConfig.DEFAULT_PORT,
      description = "Port to listen on; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--keys",
      paramLabel = "<file>",
      description = "File of access keys, read again when it changes (default: one pair is made).")
  private @Nullable Path keys;

  @Option(
      names = "--anonymous",
      description =
          "Ask for no signatures: every user and program of this machine may read everything, and"
              + " nobody write.")
  private boolean anonymous;

  @Option(
      names = "--domain",
      paramLabel = "<name>",
      description =
          "Host name below which the first part is a bucket, as in bucket.<name>; may be repeated"
              + " (paths work always).")
  private @Nullable List<String> domains;

  @Option(
      names = "--freshness-s",
      paramLabel = "<seconds>",
      defaultValue = "5",
      description =
          "Longest time until a change in the store is seen; 0 asks the store for every request"
              + " (default: ${DEFAULT-VALUE}).")
  private double freshnessSeconds;

  @Mixin private final DoorOptions door = new DoorOptions();

  @ArgGroup(exclusive = false, heading = "%nRemote stores:%n")
  private RemoteOptions remote = new RemoteOptions();

  @Override
  ExitCode run(Output output) throws Exception {
    if (!(freshnessSeconds >= 0 && freshnessSeconds <= LONGEST_SECONDS)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--freshness-s " + freshnessSeconds + " makes no sense; use 0 to " + LONGEST_SECONDS);
    }
    S3Access access = S3Access.of(keys, anonymous, address, "--keys");
    address.requireGuarded(
        output,
        List.of(),
        "without TLS objects can be read on the network (--tls-cert, --tls-key)");
    GatewayConfig config =
        GatewayConfig.on(address.host(), port, BucketAddresses.parse(buckets), access.keys())
            .withDomains(domains == null ? List.of() : domains);
    config = address.tls().map(config::withTls).orElse(config);
    try (DoorOptions.Opener doors =
        door.opener("s3", freshness(), config.buckets().size(), output)) {
      S3Gateway gateway =
          S3Gateway.start(
              config, new BucketOpener(remote.config(), doors::open), InstantSource.system());
      announce(gateway, config, access, output);
      return UntilStopped.serve(output, gateway);
    }
  }

  private Duration freshness() {
    return Duration.ofNanos((long) (freshnessSeconds * NANOS));
  }

  private void announce(S3Gateway gateway, GatewayConfig config, S3Access access, Output output) {
    if (output.json()) {
      Map<String, Object> ready = new LinkedHashMap<>();
      ready.put("endpoint", gateway.uri().toString());
      ready.put("pid", ProcessHandle.current().pid());
      access.describe(ready);
      output.document(ready);
      return;
    }
    Paint paint = output.console().outPaint();
    output.line("endpoint " + paint.name(gateway.uri().toString()));
    config.buckets().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(bucket -> output.line("bucket   " + bucket.getKey() + "  " + bucket.getValue()));
    output.line("access   " + accessInWords(access));
    output.line("");
    access.exports(gateway.uri()).forEach(output::line);
    output.line("");
    output.line(paint.faint("Ctrl-C stops it."));
    output.flush();
  }

  private String accessInWords(S3Access access) {
    if (keys != null) {
      return "by the keys in " + keys;
    }
    return access.made().isPresent()
        ? "by one pair of keys, good until the end (--keys)"
        : "everybody on this machine may read (--anonymous)";
  }
}
