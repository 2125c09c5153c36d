package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.node.HostedServer;
import io.quiver.node.Node;
import io.quiver.node.NodeConfig;
import io.quiver.node.NodeException;
import io.quiver.node.ServerName;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import io.quiver.server.ServerConfig;
import io.quiver.server.plan.PlanSource;
import io.quiver.store.StoreUsage;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One cache server by itself, as a cluster runs it on every machine. */
@Command(
    name = "server",
    description = {
      "Run one cache server.",
      "All limits of the server are options; quiver up runs servers and their manager"
          + " together."
    },
    footer = {
      "  quiver server --data /ssd/quiver --capacity 500GB",
      "  quiver server --host 10.0.0.7 --tls-cert server.pem --tls-key server.key"
          + " --token-file callers",
      "  quiver server --name gpu-7 --manager http://10.0.0.1:7400",
      "  quiver server --port 0 --json    # any free port; one line of JSON when ready",
      "",
      "With --json, one line when ready:",
      "  {\"server\": url, \"name\": name, \"data\": [folder…], \"capacity_bytes\": n,"
          + " \"blobs\": n, \"pid\": n}"
    })
public final class ServerCommand extends Action {
  @Mixin private final ListenOptions listen = new ListenOptions();

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "" + (NodeConfig.DEFAULT_PORT + 1),
      description = "Port to listen on; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--name",
      paramLabel = "<name>",
      description =
          "Name of the server in plans and in its status, unlike that of every other server"
              + " (default: this host and random digits, kept in the data folder).")
  private @Nullable String name;

  @Option(
      names = "--manager",
      paramLabel = "<url>",
      split = ",",
      description =
          "Cache manager whose plans the server follows. Of several, separated by commas,"
              + " the first that answers is used.")
  private @Nullable List<String> managers;

  @Option(
      names = "--ca",
      paramLabel = "<file>",
      description = "PEM file with the certificates that an https manager is checked against.")
  private @Nullable Path trust;

  @ArgGroup(exclusive = false, heading = "%nLimits:%n")
  private LimitOptions limits = new LimitOptions();

  @Override
  ExitCode run(Output output) throws Exception {
    List<Path> directories = listen.data(output.console());
    listen.requireGuarded(output);
    List<URI> addresses =
        managers == null ? List.of() : managers.stream().map(Addresses::parse).toList();
    HostedServer server = start(directories, addresses, output);
    if (!addresses.isEmpty()) {
      server.follow(
          PlanSource.of(
              addresses, Addresses.credentials(output.console(), Optional.ofNullable(trust))));
    }
    StoreUsage usage = server.store().usage();
    if (output.json()) {
      output.document(
          new Ready(
              server.uri(),
              server.name(),
              directories.stream().map(Path::toString).toList(),
              usage.capacityBytes(),
              usage.blobs(),
              ProcessHandle.current().pid()));
    } else {
      announce(server, directories, output);
    }
    return UntilStopped.serve(output, server);
  }

  private HostedServer start(List<Path> directories, List<URI> managers, Output output)
      throws CommandFailure, NodeException {
    String own = name == null ? ServerName.of(directories) : name;
    ServerConfig plain = limits.server(listen, port, own);
    ServerConfig serverConfig =
        listen.advertised(managers).map(plain::withAdvertised).orElse(plain);
    long capacity = Node.capacityBytes(directories, listen.capacity());
    var storeConfig = limits.store(directories, capacity);
    try (Progress progress = output.progress("reading the cache", Progress.Unit.BYTES)) {
      return HostedServer.start(
          serverConfig,
          storeConfig,
          (done, total, blobs) -> {
            progress.total(total);
            progress.update(done, String.format(Locale.ROOT, "%,d blobs", blobs));
          });
    }
  }

  private void announce(HostedServer server, List<Path> directories, Output output) {
    Paint paint = output.console().outPaint();
    StoreUsage usage = server.store().usage();
    output.line("server   " + paint.name(server.uri().toString()) + "  " + server.name());
    directories.forEach(directory -> output.line("data     " + directory));
    output.line(
        String.format(
            Locale.ROOT,
            "capacity %s, %s used by %,d blobs",
            ByteSize.show(usage.capacityBytes()),
            ByteSize.show(usage.usedBytes()),
            usage.blobs()));
    output.line("access   " + listen.accessInWords());
    output.flush();
  }

  private record Ready(
      URI server, String name, List<String> data, long capacityBytes, long blobs, long pid) {}
}
