package io.quiver.node;

import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.manager.CacheManager;
import io.quiver.manager.Refused;
import io.quiver.server.plan.PlanSource;
import java.io.IOException;
import java.time.Duration;

/**
 * The manager of this process, for servers of the same process: they need neither its certificate
 * nor a token.
 */
final class LocalPlans implements PlanSource {
  private final CacheManager manager;

  LocalPlans(CacheManager manager) {
    this.manager = manager;
  }

  @Override
  public ServerPlan report(ServerReport report) throws IOException, InterruptedException {
    try {
      return manager.report(report);
    } catch (Refused e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public ServerPlan await(String server, long after, Duration time)
      throws IOException, InterruptedException {
    try {
      return manager.awaitServer(server, after, time);
    } catch (Refused e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    // The node closes its manager.
  }

  @Override
  public String toString() {
    return "of this process";
  }
}
