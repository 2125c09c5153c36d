package io.quiver.benchmarks.doors;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.doors.DoorsRow.Goal;
import io.quiver.benchmarks.workbench.FirstLine;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Ports;
import io.quiver.benchmarks.workbench.Programs;
import io.quiver.benchmarks.workbench.Workbench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures warm GETs of the S3 endpoint beside servers that read the same folder. */
final class S3Speed {
  private static final String ACCESS_KEY = "AKIABENCHMARKBENCH00";
  private static final String SECRET = "a-secret-of-this-benchmark-only";

  /** The name of our own endpoint that recognises no streams, as a peer. */
  static final String WITHOUT_STREAMS = "itself with --streams off";

  /** Recognising streams may cost so much of the speed. */
  static final double STREAMS_TARGET = 0.97;

  private static final String KEEP_ALIVE = "--keep-alive";
  private static final int CONNECTIONS = 8;
  private static final Duration START = Duration.ofSeconds(60);

  private final Workbench workbench;
  private final Path program;
  private final boolean quick;
  private final BenchmarkListener listener;

  /** A server that runs. */
  private record Server(String name, Process process, int port, boolean signed, double target) {
    double cpuSeconds() {
      return Stream.concat(Stream.of(process.toHandle()), process.descendants())
          .mapToDouble(one -> one.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9)
          .sum();
    }
  }

  /** The figures of one slice. */
  private record Slice(double requestsPerSecond, double cpuSecondsPerGigabyte) {}

  S3Speed(Workbench workbench, Path program, boolean quick, BenchmarkListener listener) {
    this.workbench = workbench;
    this.program = program;
    this.quick = quick;
    this.listener = listener;
  }

  List<DoorsRow> run() throws BenchmarkException, InterruptedException {
    Path root = workbench.memoryFolder("s3");
    Path folder = root.resolve(S3Process.BUCKET);
    List<S3Objects> sets =
        List.of(
            new S3Objects(folder, "large", new MadeFiles(quick ? 100 : 200, 1_000_000)),
            new S3Objects(folder, "small", new MadeFiles(quick ? 400 : 1_000, 150_000)));
    for (S3Objects set : sets) {
      set.write();
    }
    listener.step(0, "starting S3 servers");
    List<Server> servers = new ArrayList<>();
    try {
      servers.add(quiver("quiver-s3", folder, "on", 1));
      versitygw(root).ifPresent(servers::add);
      nginx(folder).ifPresent(servers::add);
      servers.add(quiver(WITHOUT_STREAMS, folder, "off", STREAMS_TARGET));
      List<DoorsRow> rows = new ArrayList<>();
      for (S3Objects set : sets) {
        rows.addAll(measure(set, servers));
      }
      return rows;
    } finally {
      servers.forEach(server -> workbench.stop(server.process));
    }
  }

  private Server quiver(String name, Path folder, String streams, double target)
      throws BenchmarkException {
    String log = name.replace(' ', '-');
    List<String> arguments = List.of(folder.toString(), ACCESS_KEY, SECRET, streams);
    Process process = workbench.start(log, Jvm.command(S3Process.class, arguments), true);
    try {
      int port = Integer.parseInt(FirstLine.of(log, process, START));
      return new Server(name, process, port, true, target);
    } catch (BenchmarkException | NumberFormatException e) {
      throw new BenchmarkException("the S3 endpoint did not start: " + workbench.complaint(log), e);
    }
  }

  private Optional<Server> versitygw(Path root) throws BenchmarkException, InterruptedException {
    Optional<String> installed = Programs.find("versitygw");
    if (installed.isEmpty()) {
      return Optional.empty();
    }
    int port = Ports.free();
    List<String> command =
        new ArrayList<>(
            List.of(
                installed.get(),
                "--access",
                ACCESS_KEY,
                "--secret",
                SECRET,
                "--quiet",
                "--port",
                "127.0.0.1:" + port));
    // Later versions close connections unless told otherwise; earlier ones do not know the word.
    String help = workbench.run("versitygw", List.of(installed.get(), "--help"), START);
    if (help.contains(KEEP_ALIVE)) {
      command.add(KEEP_ALIVE);
    }
    command.addAll(List.of("posix", root.toString()));
    Process process = workbench.start("versitygw", command, false);
    Ports.await("versitygw", process, port, START);
    return Optional.of(new Server("versitygw", process, port, true, 2));
  }

  private Optional<Server> nginx(Path folder) throws BenchmarkException, InterruptedException {
    Optional<String> installed = Programs.find("nginx");
    if (installed.isEmpty()) {
      return Optional.empty();
    }
    int port = Ports.free();
    Path home = workbench.folder("nginx-s3");
    Path configuration = home.resolve("nginx.conf");
    boolean root = System.getProperty("user.name", "").equals("root");
    String text =
        (root ? "user root;\n" : "")
            + """
            daemon off;
            worker_processes 2;
            pid HOME/nginx.pid;
            error_log HOME/error.log;
            events { worker_connections 256; }
            http {
              access_log off;
              sendfile on;
              tcp_nopush on;
              keepalive_requests 1000000000;
              client_body_temp_path HOME/body;
              proxy_temp_path HOME/proxy;
              fastcgi_temp_path HOME/fastcgi;
              uwsgi_temp_path HOME/uwsgi;
              scgi_temp_path HOME/scgi;
              server { listen 127.0.0.1:PORT; root FILES; }
            }
            """
                .replace("HOME", home.toString())
                .replace("FILES", folder.toString())
                .replace("PORT", Integer.toString(port));
    try {
      Files.writeString(configuration, text);
    } catch (IOException e) {
      throw new BenchmarkException("cannot write " + configuration + ": " + e.getMessage(), e);
    }
    List<String> command =
        List.of(
            installed.get(),
            "-p",
            home.toString(),
            "-e",
            home.resolve("error.log").toString(),
            "-c",
            configuration.toString());
    Process process = workbench.start("nginx-s3", command, false);
    Ports.await("nginx", process, port, START);
    return Optional.of(new Server("nginx with sendfile, unsigned", process, port, false, 0.6));
  }

  /** Gives every server slices in turn and keeps the best of each. */
  private List<DoorsRow> measure(S3Objects set, List<Server> servers)
      throws BenchmarkException, InterruptedException {
    List<Path> paths = new ArrayList<>();
    for (Server server : servers) {
      paths.add(writePaths(set, server));
    }
    int warmUps = quick ? 2 : 4;
    int rounds = warmUps + (quick ? 3 : 7);
    @Nullable Slice[] best = new Slice[servers.size()];
    for (int round = 0; round < rounds; round++) {
      listener.step(0.3 * round / rounds, "S3 " + set.prefix() + ", round " + (round + 1));
      for (int i = 0; i < servers.size(); i++) {
        Slice slice =
            i == 0
                ? slice(set, servers.get(i), paths.get(i), round)
                : peerSlice(set, servers.get(i), paths.get(i), round);
        Slice known = best[i];
        if (round >= warmUps
            && slice != null
            && (known == null || slice.requestsPerSecond > known.requestsPerSecond)) {
          best[i] = slice;
        }
      }
    }
    return rows(set, servers, best);
  }

  private Path writePaths(S3Objects set, Server server) throws BenchmarkException {
    List<String> paths =
        server.signed ? set.signedPaths(server.port, ACCESS_KEY, SECRET) : set.paths();
    Path file = workbench.directory().resolve("paths-" + server.port + "-" + set.prefix());
    try {
      return Files.write(file, paths);
    } catch (IOException e) {
      throw new BenchmarkException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the figures of a peer; null for one that does not keep up the conversation. */
  private @Nullable Slice peerSlice(S3Objects set, Server server, Path paths, int seed)
      throws InterruptedException {
    try {
      return slice(set, server, paths, seed);
    } catch (BenchmarkException failure) {
      listener.step(0.3, server.name + " is left out: " + failure.getMessage());
      return null;
    }
  }

  private Slice slice(S3Objects set, Server server, Path paths, int seed)
      throws BenchmarkException, InterruptedException {
    double before = server.cpuSeconds();
    List<String> command =
        List.of(
            program.toString(),
            Integer.toString(server.port),
            Integer.toString(CONNECTIONS),
            quick ? "0.7" : "1.5",
            Long.toString(set.files().bytes()),
            paths.toString(),
            Integer.toString(seed));
    String[] figures = workbench.run("httpload", command, START).strip().split(" ", 2);
    double seconds = Double.parseDouble(figures[0]);
    long bytes = Long.parseLong(figures[1]);
    double requests = (double) bytes / set.files().bytes();
    return new Slice(requests / seconds, (server.cpuSeconds() - before) / (bytes / 1e9));
  }

  private static List<DoorsRow> rows(S3Objects set, List<Server> servers, @Nullable Slice[] best) {
    String work =
        "GET " + set.files().bytes() / 1000 + " KB, warm, " + CONNECTIONS + " connections";
    Slice ours = best[0];
    List<DoorsRow> rows = new ArrayList<>();
    if (ours == null) {
      return rows;
    }
    for (int i = 1; i < servers.size(); i++) {
      Slice theirs = best[i];
      rows.add(
          new DoorsRow(
              "s3",
              work,
              ours.requestsPerSecond,
              theirs == null ? null : theirs.requestsPerSecond,
              servers.get(i).name,
              "GET/s",
              ours.cpuSecondsPerGigabyte,
              Goal.atLeast(servers.get(i).target)));
    }
    if (servers.size() == 2) {
      rows.add(
          new DoorsRow(
              "s3",
              work,
              ours.requestsPerSecond,
              null,
              "versitygw or nginx",
              "GET/s",
              ours.cpuSecondsPerGigabyte,
              Goal.atLeast(1)));
    }
    return rows;
  }
}
