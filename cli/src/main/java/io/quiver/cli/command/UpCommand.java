package io.quiver.cli.command;

import io.quiver.cli.command.ListenOptions.CurlExample;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.node.BuildVersion;
import io.quiver.node.HostedServer;
import io.quiver.node.Node;
import io.quiver.node.NodeConfig;
import io.quiver.node.NodeException;
import io.quiver.node.NodeStatus;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The embedded default: a whole cache in one process, with nothing else to install. */
@Command(
    name = "up",
    description = {
      "Run a cache on this machine.",
      "One process has the cache servers on this machine's disks, the cache manager and"
          + " a status page. Ctrl-C stops it cleanly; the cached data is there again at the"
          + " next start."
    },
    footer = {
      "  quiver up",
      "  quiver up --data /ssd1/quiver --data /ssd2/quiver --capacity 1.5TB",
      "  quiver up --servers 4 --port 9000",
      "  quiver up --quota user=alice:500GB --pin 0123456789abcdef",
      "  quiver up --s3 s3://imagenet    # an S3 endpoint as well: quiver gateway --help",
      "  quiver up --port 0 --json    # any free ports; one line of JSON when ready",
      "",
      "With --json, one line when ready:",
      "  {\"status\": url, \"servers\": [url…], \"data\": [folder…], \"capacity_bytes\": n,"
          + " \"blobs\": n, \"pid\": n}",
      "and with --s3 also \"endpoint\", and \"access_key\" and \"secret_key\" if they were made."
    })
public final class UpCommand extends Action {
  @Mixin private final ListenOptions listen = new ListenOptions();

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "" + NodeConfig.DEFAULT_PORT,
      description =
          "Port of the manager and the status page; the servers take the ports after it. 0 takes"
              + " any free ones (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--servers",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Number of cache servers (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Mixin private final EndpointOptions endpoint = new EndpointOptions();

  @ArgGroup(exclusive = false, heading = "%nPlanning:%n")
  private PlanOptions plan = new PlanOptions();

  @Override
  ExitCode run(Output output) throws Exception {
    List<Path> disks = listen.data(output.console());
    NodeConfig config =
        new NodeConfig(listen.host(), port, servers, disks, listen.capacity(), listen.tls())
            .withAccess(listen.access())
            .withPlanner(plan.planner(), plan.preferences());
    listen.requireGuarded(output);
    Node node = start(listen.advertisedHost().map(config::withAdvertised).orElse(config), output);
    EndpointOptions.Endpoint s3;
    try {
      s3 = endpoint.start(node, listen, output);
    } catch (CommandFailure | NodeException | RuntimeException failure) {
      node.close();
      throw failure;
    }
    if (output.json()) {
      output.document(ready(node, disks, s3));
    } else {
      announce(node, disks, s3, output);
    }
    return UntilStopped.serve(output, node);
  }

  private static Node start(NodeConfig config, Output output) throws NodeException {
    try (Progress progress = output.progress("reading the cache", Progress.Unit.BYTES)) {
      return Node.start(
          config,
          InstantSource.system(),
          (done, total, blobs) -> {
            progress.total(total);
            progress.update(done, String.format(Locale.ROOT, "%,d blobs", blobs));
          });
    }
  }

  private static Map<String, Object> ready(
      Node node, List<Path> disks, EndpointOptions.@Nullable Endpoint s3) {
    NodeStatus.Usage totals = node.status().totals();
    Map<String, Object> ready = new LinkedHashMap<>();
    ready.put("status", node.uri());
    ready.put("servers", node.servers().stream().map(HostedServer::uri).toList());
    ready.put("data", disks.stream().map(Path::toString).toList());
    ready.put("capacity_bytes", totals.capacityBytes());
    ready.put("blobs", totals.blobs());
    ready.put("pid", ProcessHandle.current().pid());
    if (s3 != null) {
      ready.put("endpoint", s3.gateway().uri());
      s3.access().describe(ready);
    }
    return ready;
  }

  private void announce(
      Node node, List<Path> disks, EndpointOptions.@Nullable Endpoint s3, Output output) {
    Paint paint = output.console().outPaint();
    output.line(paint.strong("quiver " + BuildVersion.number() + " is up"));
    output.line("");
    output.line("  status   " + paint.name(node.uri().toString()));
    for (HostedServer server : node.servers()) {
      output.line("  server   " + paint.name(server.uri().toString()));
    }
    for (Path disk : disks) {
      output.line("  data     " + disk);
    }
    output.line("  capacity " + capacity(node.status().totals()));
    output.line("  access   " + listen.accessInWords());
    output.line("");
    if (s3 != null) {
      output.line("S3 clients:");
      s3.access().exports(s3.gateway().uri()).forEach(output::line);
      output.line("");
    }
    CurlExample.lines(node.servers().getFirst().uri(), listen).forEach(output::line);
    output.line("");
    output.line(paint.faint("Ctrl-C stops it; the cached data stays."));
    output.flush();
  }

  static String capacity(NodeStatus.Usage usage) {
    return String.format(
        Locale.ROOT,
        "%s, %s used by %,d blobs",
        ByteSize.show(usage.capacityBytes()),
        ByteSize.show(usage.usedBytes()),
        usage.blobs());
  }
}
