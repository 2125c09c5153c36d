package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.igt.LifetimeStudy;
import io.quiver.simulator.igt.LifetimeStudy.Point;
import io.quiver.simulator.igt.LifetimeStudy.Row;
import java.util.List;

/** IGTCache's Figure 11: when the space of a program that has ended is free for another. */
final class IgtLifetime implements Experiment {
  private static final double PAPER_TTL = 86;
  private static final double SHOWN_EVERY = 60;

  @Override
  public String name() {
    return "igt-fig11";
  }

  @Override
  public String summary() {
    return "when another program gets the space of one that has ended (IGTCache, Figure 11)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    List<Row> rows = LifetimeStudy.run(setting.seed());
    steps.done(1, 1);
    Row quiver = rows.getFirst();
    Row fixed = rows.getLast();
    Table table = new Table("time", "quiver: blocks/s", "fixed time to live: blocks/s");
    for (int i = 0; i < quiver.points().size(); i++) {
      Point point = quiver.points().get(i);
      if (point.seconds() % SHOWN_EVERY == 0) {
        table.row(
            Figures.seconds(point.seconds()),
            Figures.plain(point.blocksPerSecond()),
            Figures.plain(fixed.points().get(i).blocksPerSecond()));
      }
    }
    List<PaperClaim> claims =
        List.of(
            PaperClaim.of(
                "Estimated lease of the stream that was stopped, in seconds",
                PAPER_TTL,
                List.of(new Value("quiver", quiver.leaseSeconds())),
                "It is 60 s and the longest usual pause, which is shorter here: directories are"
                    + " fewer at this scale, and each is read more often."));
    return new Reproduction(
        "IGTCache, Figure 11",
        "Training on ImageNet and on MITPlaces share a cache as large as MITPlaces. The first is"
            + " stopped after "
            + Figures.seconds(LifetimeStudy.STOPPED_AT)
            + ". Shown is how fast the other one reads: with Quiver, and with equal parts that a"
            + " program keeps for 600 s after its end, as JuiceFS does by default.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        List.of(
            new Observation(
                "The other program has the space "
                    + Figures.seconds(quiver.freedAfter())
                    + " after the end at the latest, before the lease of "
                    + Figures.seconds(quiver.leaseSeconds())
                    + " is over.",
                quiver.freedAfter() <= quiver.leaseSeconds()),
            new Observation(
                "With a fixed time to live it waits " + Figures.seconds(fixed.freedAfter()) + ".",
                fixed.freedAfter() >= LifetimeStudy.FIXED_TTL)),
        List.of(),
        new PaperClaim.Document(rows, claims));
  }
}
