package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.http.ClientCredentials;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import io.quiver.server.plan.PlanFollower;
import io.quiver.server.plan.PlanSource;
import io.quiver.store.memory.MemoryBlobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PlanFollowerTest {
  private final BlockingQueue<ServerReport> reports = new LinkedBlockingQueue<>();

  @Test
  void heartbeatsGoOnWhileAPlanIsBeingApplied() throws Exception {
    HttpServer manager =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    manager.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    manager.createContext(
        "/v1/servers/s/heartbeat",
        exchange -> {
          reports.add(read(exchange.getRequestBody().readAllBytes()));
          answer(exchange);
        });
    manager.createContext("/v1/servers/s/plan", PlanFollowerTest::answer);
    manager.start();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    URI uri = URI.create("http://127.0.0.1:" + manager.getAddress().getPort());
    try (PlanFollower _ =
        PlanFollower.start(
            PlanSource.of(List.of(uri), ClientCredentials.NONE),
            "s",
            URI.create("http://127.0.0.1:1"),
            100,
            new MemoryBlobStore(100, 100),
            plan -> {
              begun.countDown();
              await(mayEnd);
            })) {
      await(begun);
      reports.clear();
      for (int i = 0; i < 3; i++) {
        assertThat(next().planVersion()).as("not applied yet").isZero();
      }
      mayEnd.countDown();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (next().planVersion() != 7) {
        assertThat(System.nanoTime()).as("waiting for plan 7 to be reported").isLessThan(deadline);
      }
    } finally {
      mayEnd.countDown();
      manager.stop(0);
    }
  }

  private ServerReport next() throws InterruptedException {
    return Objects.requireNonNull(
        reports.poll(20, TimeUnit.SECONDS), "no heartbeat came within 20 s");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ServerReport read(byte[] json) {
    try {
      return ControlJson.read(json, ServerReport.class);
    } catch (MalformedDocument e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    byte[] plan = ControlJson.write(new ServerPlan(7, "ds-", List.of(), List.of()));
    exchange.sendResponseHeaders(200, plan.length);
    try (exchange) {
      exchange.getResponseBody().write(plan);
    }
  }
}
