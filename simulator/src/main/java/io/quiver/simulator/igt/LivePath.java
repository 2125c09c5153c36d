package io.quiver.simulator.igt;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.StreamRules;
import io.quiver.simulator.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Quiver: a door for each program, a server and a manager, who report and plan once a second as
 * they do in a cluster. All decisions are those of the classes that run live.
 */
final class LivePath implements ReadPath {
  private static final long HEARTBEAT_NANOS = 1_000_000_000L;

  private final Engine engine;
  private final RemoteLink store;
  private final long capacityBytes;
  private final StreamRules rules;
  private final Planner planner;
  private final LiveServer server;
  private final Flights claimed = new Flights();
  private final Map<Integer, LiveDoor> doors = new LinkedHashMap<>();
  private Consumer<Plan> planObserver = plan -> {};
  private Plan plan = Plan.empty(1);
  private int running;
  private boolean beats;

  LivePath(
      Engine engine,
      RemoteLink store,
      long capacityBytes,
      PlannerConfig config,
      StreamRules rules) {
    this.engine = engine;
    this.store = store;
    this.capacityBytes = capacityBytes;
    this.rules = rules;
    this.planner = new Planner(config);
    this.server = new LiveServer(capacityBytes);
    heartbeat();
  }

  /** Has all plans told. */
  void observePlans(Consumer<Plan> plans) {
    planObserver = plans;
  }

  LiveServer server() {
    return server;
  }

  RemoteLink store() {
    return store;
  }

  Flights claimed() {
    return claimed;
  }

  LiveDoor door(RunningProgram job) {
    return Objects.requireNonNull(doors.get(job.spec().number()));
  }

  /** Returns all doors. */
  List<LiveDoor> doors() {
    return List.copyOf(doors.values());
  }

  /** Returns the space for a place; null for none. */
  @Nullable SpaceId space(BlockPlace place) {
    return switch (place) {
      case BlockPlace.Own(SpaceId space) -> space;
      case BlockPlace.Shared _ -> plan.forDoors().space();
      case BlockPlace.Nowhere _ -> null;
    };
  }

  @Override
  public void begin(RunningProgram job, ProgramSpec.Phase phase) {
    int number = job.spec().number();
    if (!doors.containsKey(number)) {
      doors.put(number, new LiveDoor(engine, this, "door-" + number, rules));
      running++;
      beat();
    }
    door(job).begin(phase);
  }

  @Override
  public void read(RunningProgram job, int worker, FileSet files, int block) {
    door(job).read(job, worker, files, block);
  }

  @Override
  public void ended(RunningProgram job) {
    running--;
  }

  private void beat() {
    if (running > 0 && !beats) {
      beats = true;
      engine.after(
          HEARTBEAT_NANOS,
          any -> {
            beats = false;
            heartbeat();
          },
          0);
    }
  }

  /** Has everybody report, plans, and has everybody follow. */
  private void heartbeat() {
    long now = engine.now();
    List<Observed<DoorReport>> told = new ArrayList<>();
    doors.values().forEach(door -> told.add(new Observed<>(door.report(plan.version()), now)));
    Observations seen =
        new Observations(
            List.of(),
            List.of(new Observed<>(server.report(plan.version(), now), now)),
            now,
            CachePreferences.NONE,
            told);
    Plan next = planner.next(plan, seen, capacityBytes);
    if (next.version() != plan.version()) {
      plan = next;
      server.follow(plan.forServers().spaces(), now);
    } else {
      plan = next;
    }
    doors.values().forEach(door -> door.follow(plan.forDoors()));
    planObserver.accept(plan);
    beat();
  }
}
