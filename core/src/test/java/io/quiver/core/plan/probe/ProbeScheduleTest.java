package io.quiver.core.plan.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.Timing;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Jobs in virtual time that do as they are told, and what must hold whatever they do. */
final class ProbeScheduleTest {
  private static final int BATCH = 10;
  private static final int LEAST = 24;
  private static final double BATCHES_PER_SECOND = 10;
  private static final DatasetKey HELD = new DatasetKey("0000000000000001");
  private static final DatasetKey NOT_HELD = new DatasetKey("0000000000000002");

  private static final class Job {
    final String name;
    final String store;
    final DatasetKey dataset;
    final long length;
    double missSeconds;
    double workSeconds = 0.01;
    double done;
    long probed;
    long probe;
    long toProbe;
    long lastProbe;
    double missAt = -1;
    double measured;

    Job(String name, String store, DatasetKey dataset, long length, double missSeconds) {
      this.name = name;
      this.store = store;
      this.dataset = dataset;
      this.length = length;
      this.missSeconds = missSeconds;
    }

    void work(double seconds, double now) {
      double batches = Math.min(seconds * BATCHES_PER_SECOND, length - done);
      done += batches;
      if (toProbe > 0) {
        long part = Math.min(toProbe, (long) batches);
        probed += part;
        toProbe -= part;
        if (toProbe == 0) {
          lastProbe = probe;
          measure(now);
        }
      } else if (dataset.equals(NOT_HELD)) {
        measure(now);
      }
    }

    void measure(double now) {
      missAt = now;
      measured = missSeconds;
    }

    JobReport report(double now) {
      Timing miss = missAt < 0 ? Timing.NONE : new Timing(measured, 1000, now - missAt);
      return JobReport.of(name, "i", dataset, 100_000, 100_000, BATCH)
          .sequence(1)
          .times(workSeconds, 0)
          .traits(new JobTraits("", 1, store))
          .speeds(
              new JobSpeeds(
                  Timing.NONE,
                  Timing.NONE,
                  miss,
                  0,
                  (long) done,
                  probed,
                  length - (long) done,
                  LEAST,
                  lastProbe))
          .build();
    }
  }

  private final Map<String, Job> jobs = new TreeMap<>();
  private final Map<String, Double> begun = new HashMap<>();
  private final List<String> probes = new ArrayList<>();
  private ProbeBook book = ProbeBook.EMPTY;
  private double now = 1;

  private void join(String name, String store, DatasetKey dataset, long length) {
    jobs.put(name, new Job(name, store, dataset, length, 0.01));
  }

  private void step(double seconds) {
    now += seconds;
    jobs.values().forEach(job -> job.work(seconds, now));
    List<Observed<JobReport>> reports = new ArrayList<>();
    jobs.values().forEach(job -> reports.add(new Observed<>(job.report(now), nanos())));
    book =
        ProbeSchedule.next(
            book,
            reports,
            key ->
                key.equals(HELD) ? DatasetState.FillState.SETTLED : DatasetState.FillState.NOTHING,
            5,
            nanos());
    Set<String> stores = new HashSet<>();
    for (Job job : jobs.values()) {
      Probe probe = book.of(job.name, job.store);
      if (probe != null) {
        assertThat(stores.add(job.store)).as("one at a time").isTrue();
        obey(job, probe);
      }
    }
  }

  private void obey(Job job, Probe probe) {
    if (probe.id() <= job.probe) {
      return;
    }
    job.probe = probe.id();
    job.toProbe = probe.batches();
    assertThat(job.dataset).as("what reads the store anyway is not probed").isEqualTo(HELD);
    assertThat(probe.batches()).isGreaterThanOrEqualTo(LEAST);
    assertThat(job.probed + probe.batches()).isLessThanOrEqualTo(job.length / 100);
    Double before = begun.put(job.name, now);
    assertThat(before == null || now - before >= 60).as("%s again", job.name).isTrue();
    probes.add(job.name);
  }

  private long nanos() {
    return Math.round(now * 1e9);
  }

  @Test
  void whateverJobsDoTheBoundsHold() {
    SeededRuns.run(
        20,
        random -> {
          ProbeScheduleTest test = new ProbeScheduleTest();
          for (int i = 0; i < 300; i++) {
            test.mutate(random, i);
            test.step(0.1 + 5 * random.nextDouble());
          }
        });
  }

  private void mutate(Random random, int number) {
    if (random.nextInt(10) == 0) {
      join(
          "job-" + number,
          "store-" + random.nextInt(3),
          random.nextInt(4) == 0 ? NOT_HELD : HELD,
          100 + random.nextInt(50_000));
    }
    if (random.nextInt(20) == 0 && !jobs.isEmpty()) {
      List<String> names = List.copyOf(jobs.keySet());
      jobs.remove(names.get(random.nextInt(names.size())));
    }
    if (random.nextInt(20) == 0) {
      jobs.values().forEach(job -> job.missSeconds *= 0.5 + random.nextDouble());
    }
  }

  private void run(double seconds) {
    for (double t = 0; t < seconds; t++) {
      step(1);
    }
  }

  @Test
  void everyLongJobIsMeasuredOneAfterTheOtherAndThenLeftAlone() {
    for (int i = 0; i < 5; i++) {
      join("job-" + i, "store", HELD, 100_000);
      job(i).workSeconds = 0.01 * Math.pow(2, i);
    }
    run(300);
    assertThat(probes).containsExactly("job-0", "job-1", "job-2", "job-3", "job-4");
    for (int i = 0; i < 5; i++) {
      assertThat(book.missSeconds("job-" + i)).isEqualTo(0.01);
    }
  }

  @Test
  void ofJobsThatAreAlikeOneIsProbedForAll() {
    for (int i = 0; i < 5; i++) {
      join("job-" + i, "store", HELD, 100_000);
      job(i).workSeconds = 0.0110 + 0.0001 * i;
    }
    run(300);
    assertThat(probes).containsExactly("job-0");
    for (int i = 0; i < 5; i++) {
      assertThat(book.missSeconds("job-" + i)).isEqualTo(0.01);
      assertThat(book.isLent("job-" + i)).isEqualTo(i > 0);
    }
    job(3).missSeconds = 0.05;
    job(3).measure(now);
    run(1);
    assertThat(book.missSeconds("job-3")).as("what it measures itself counts").isEqualTo(0.05);
    assertThat(book.missSeconds("job-4")).isEqualTo(0.01);
    run(100);
    assertThat(probes).as("nothing has changed").hasSize(1);
  }

  private Job job(int number) {
    return java.util.Objects.requireNonNull(jobs.get("job-" + number));
  }

  @Test
  void anotherJobOrAnotherSpeedOfTheStoreMeansMeasuringAgain() {
    join("job-0", "store", HELD, 100_000);
    join("free", "store", NOT_HELD, 100_000);
    run(100);
    assertThat(probes).containsExactly("job-0");
    join("free-2", "store", NOT_HELD, 100_000);
    run(100);
    assertThat(probes).as("another job").hasSize(2);
    jobs.values().forEach(job -> job.missSeconds = 0.011);
    run(100);
    assertThat(probes).as("about as fast").hasSize(2);
    jobs.values().forEach(job -> job.missSeconds = 0.02);
    run(100);
    assertThat(probes).as("half as fast").hasSize(3);
    assertThat(book.missSeconds("job-0")).isEqualTo(0.02);
  }

  private void runMinutes(double minutes) {
    for (double t = 0; t < 12 * minutes; t++) {
      step(5);
    }
  }

  @Test
  void aMeasurementThatIsOldIsMadeAgainLessAndLessOften() {
    join("job-0", "store", HELD, 10_000_000);
    runMinutes(55);
    assertThat(probes).hasSize(1);
    runMinutes(10);
    assertThat(probes).as("after an hour").hasSize(2);
    runMinutes(110);
    assertThat(probes).hasSize(2);
    runMinutes(10);
    assertThat(probes).as("after two more").hasSize(3);
    runMinutes(24 * 60);
    assertThat(probes).as("every eight hours in the end").hasSizeBetween(5, 6);
  }

  @Test
  void aStoreThatSlowsDownUnseenIsFoundOutByAge() {
    join("job-0", "store", HELD, 10_000_000);
    runMinutes(10);
    job(0).missSeconds = 0.05;
    runMinutes(45);
    assertThat(book.missSeconds("job-0")).as("nobody reads the store").isEqualTo(0.01);
    runMinutes(10);
    assertThat(book.missSeconds("job-0")).isEqualTo(0.05);
    runMinutes(62);
    assertThat(probes).as("an hour after the change was found, not two").hasSize(3);
  }

  @Test
  void shortJobsAreNotProbed() {
    join("short", "store", HELD, 100 * LEAST - 1);
    run(120);
    assertThat(probes).isEmpty();
    assertThat(jobs.values().iterator().next().report(now).speeds().tooShort()).isTrue();
  }

  @Test
  void aJobThatDiesInItsProbeDoesNotStopTheOthers() {
    join("job-0", "store", HELD, 100_000);
    join("job-1", "store", HELD, 100_000);
    run(3);
    assertThat(probes).containsExactly("job-0");
    jobs.remove("job-0");
    run(3);
    assertThat(probes).containsExactly("job-0", "job-1");
  }

  @Test
  void aProbeThatIsNeverDoneIsGivenUp() {
    join("job-0", "store", HELD, 1_000_000);
    join("job-1", "store", HELD, 1_000_000);
    for (int i = 0; i < 700; i++) {
      step(1);
      Job first = jobs.values().iterator().next();
      first.toProbe = 0; // It does not even begin.
    }
    assertThat(probes).startsWith("job-0", "job-1");
  }
}
