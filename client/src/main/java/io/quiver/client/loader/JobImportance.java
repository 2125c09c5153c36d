package io.quiver.client.loader;

import io.quiver.core.importance.AccuracyTrend;
import io.quiver.core.importance.GroupScores;
import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.importance.ImportanceLists;
import io.quiver.core.importance.ScoreColumn;
import io.quiver.core.order.ListState;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The importance of a job's samples, shared by the ranks of its process. Ranks that take their
 * steps together report all losses of an epoch before any of them begins the next one.
 */
final class JobImportance {
  private static final Logger LOG = LoggerFactory.getLogger(JobImportance.class);

  private final ImportanceLists lists;
  private final Optional<ListState> resumed;
  private final boolean returnsToUniform;
  private final @Nullable GroupScores group;
  private Consumer<ScoreColumn> told = column -> {};
  private final AccuracyTrend trend = new AccuracyTrend();
  private ImportanceEpoch current;
  private List<Double> unread;

  JobImportance(LoaderConfig config, ImportanceChoice choice) {
    ImportanceLists.Setup setup =
        ImportanceLists.Setup.of(
                config.digest().itemCount(),
                config.batch() * config.ranks(),
                config.seed(),
                choice.mode())
            .withPool(choice.pool());
    this.lists =
        choice.resume().isEmpty()
            ? ImportanceLists.begin(setup)
            : ImportanceLists.restored(setup, choice.resume().get().lists());
    this.returnsToUniform = choice.returnToUniform();
    this.group =
        choice.shareScores().isEmpty() ? null : new GroupScores(config.digest().itemCount());
    this.resumed = choice.resume().map(ImportanceState::progress);
    ImportanceEpoch known = lists.current();
    this.current = known == null ? lists.begin(0) : known;
    this.unread = boxed(lists.unread());
  }

  private static List<Double> boxed(double[] shares) {
    return Arrays.stream(shares).boxed().toList();
  }

  /** Returns an epoch, which the first rank that asks for it begins. */
  synchronized ImportanceEpoch begin(int epoch) {
    if (current.number() != epoch) {
      if (group != null) {
        group.merge(lists.scores(), epoch).ifPresent(told);
      }
      current = lists.begin(epoch);
      unread = boxed(lists.unread());
    }
    return current;
  }

  /** Returns what all ranks had delivered of an epoch before the job was resumed. */
  Optional<ListState> before(int epoch) {
    return resumed.filter(state -> state.epoch() == epoch);
  }

  /** Takes the losses of samples into account. */
  synchronized void report(int[] items, double[] losses) {
    lists.scores().report(items, losses);
    if (group != null) {
      group.report(items, losses);
    }
  }

  /** Says who tells the job's scores to the others of its group: to be brief. */
  synchronized void tellTo(Consumer<ScoreColumn> teller) {
    told = teller;
  }

  /** Notes the scores of another job of the group; they count from the next list on. */
  synchronized void hear(ScoreColumn column) {
    Objects.requireNonNull(group, "a job that shares no scores").hear(column);
  }

  /** Takes an accuracy into account; lists are plain shuffles after accuracies that fall. */
  synchronized void reportValidation(double accuracy) {
    trend.report(accuracy);
    if (returnsToUniform && trend.falls() && !lists.isUniform()) {
      lists.returnToUniform();
      LOG.warn(
          "accuracy falls: the lists drawn from now on have every sample once, without importance");
    }
  }

  /** Returns what each sixteenth of the data set in the cache spares. */
  synchronized List<Double> unread() {
    return unread;
  }

  /** Returns the state from which a job goes on whose ranks have delivered this. */
  synchronized ImportanceState state(ListState progress) {
    return new ImportanceState(lists.save(), progress);
  }
}
