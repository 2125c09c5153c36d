package io.quiver.benchmarks.workbench;

import io.quiver.benchmarks.BenchmarkException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/** Free ports on loopback, and waiting for a server to listen on one. */
public final class Ports {
  private static final int RETRY_MILLIS = 10;

  private Ports() {}

  /** Returns a port nobody listens on now. */
  public static int free() throws BenchmarkException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchmarkException("no free port on loopback: " + e, e);
    }
  }

  /** Waits until a process accepts connections. */
  public static void await(String name, Process process, int port, Duration limit)
      throws BenchmarkException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!accepts(port)) {
      if (!process.isAlive()) {
        throw new BenchmarkException(name + " ended at once with " + process.exitValue());
      }
      if (System.nanoTime() > end) {
        throw new BenchmarkException(
            name + " does not listen on port " + port + " after " + limit.toSeconds() + " s");
      }
      Thread.sleep(RETRY_MILLIS);
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
