package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.Ports;
import io.quiver.benchmarks.workbench.Programs;
import io.quiver.benchmarks.workbench.Workbench;
import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Nginx with two workers over one file for each blob, in sixteen folders. */
public record NginxServer(Process process, int port) implements PeerServer {
  /** Writes the files and starts it, if it is installed. */
  public static Optional<PeerServer> start(Workbench workbench, List<BlobSet> sets)
      throws BenchmarkException, InterruptedException {
    Optional<String> program = Programs.find("nginx");
    if (program.isEmpty()) {
      return Optional.empty();
    }
    Path root = workbench.folder("nginx");
    Path files = workbench.memoryFolder("nginx");
    for (int folder = 0; folder < 16; folder++) {
      makeFolder(files.resolve(Integer.toHexString(folder)));
    }
    for (BlobSet set : sets) {
      writeFiles(files, set);
    }
    int port = Ports.free();
    Path configuration = root.resolve("nginx.conf");
    try {
      Files.writeString(configuration, configuration(root, files, port));
    } catch (IOException e) {
      throw new BenchmarkException("cannot write " + configuration + ": " + e, e);
    }
    Process process =
        workbench.start(
            "nginx",
            List.of(
                program.get(),
                "-p",
                root.toString(),
                "-e",
                root.resolve("error.log").toString(),
                "-c",
                configuration.toString()),
            false);
    Ports.await("nginx", process, port, Duration.ofSeconds(10));
    return Optional.of(new NginxServer(process, port));
  }

  private static void makeFolder(Path folder) throws BenchmarkException {
    try {
      Files.createDirectory(folder);
    } catch (IOException e) {
      throw new BenchmarkException("cannot make " + folder + ": " + e.getMessage(), e);
    }
  }

  private static void writeFiles(Path files, BlobSet set) throws BenchmarkException {
    ContentHash[] hashes = set.hashes();
    ByteBuffer content = set.content();
    try {
      IntStream.range(0, set.count())
          .parallel()
          .forEach(i -> writeFile(files, hashes[i].toHex(), set.blob(content, i)));
    } catch (UncheckedIOException e) {
      throw new BenchmarkException("cannot write files for nginx: " + e.getMessage(), e);
    }
  }

  private static void writeFile(Path files, String name, ByteBuffer content) {
    Path file = files.resolve(name.substring(0, 1)).resolve(name);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (content.hasRemaining()) {
        channel.write(content);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String configuration(Path root, Path files, int port) {
    boolean privileged = System.getProperty("user.name", "").equals("root");
    return (privileged ? "user root;\n" : "")
        + """
        daemon off;
        worker_processes 2;
        pid ROOT/nginx.pid;
        error_log ROOT/error.log;
        events { worker_connections 256; }
        http {
          access_log off;
          sendfile on;
          tcp_nopush on;
          keepalive_requests 1000000000;
          keepalive_timeout 600s;
          client_header_buffer_size 64k;
          client_body_temp_path ROOT/body;
          proxy_temp_path ROOT/proxy;
          fastcgi_temp_path ROOT/fastcgi;
          uwsgi_temp_path ROOT/uwsgi;
          scgi_temp_path ROOT/scgi;
          server { listen 127.0.0.1:PORT; root FILES; }
        }
        """
            .replace("ROOT", root.toString())
            .replace("FILES", files.toString())
            .replace("PORT", Integer.toString(port));
  }

  @Override
  public LoadTarget target(BlobSet set) {
    LongStream workers = process.descendants().mapToLong(ProcessHandle::pid);
    return new LoadTarget(
        "nginx", port, LongStream.concat(LongStream.of(process.pid()), workers).boxed().toList());
  }
}
