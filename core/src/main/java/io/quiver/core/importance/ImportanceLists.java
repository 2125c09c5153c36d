package io.quiver.core.importance;

import io.quiver.core.importance.ImportanceEpoch.Drawn;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.order.SeededRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lists that a job reads by importance, epoch after epoch: losses go in, and out comes one
 * {@link ImportanceEpoch} after the other. All ranks of a job have the same reports before an epoch
 * begins, so all draw the same list.
 *
 * <p>Not thread-safe.
 */
public final class ImportanceLists {
  private static final Drawn NOTHING =
      new Drawn(-1, new ItemList(1, new int[0]), new PackedScores(0), 0, 0);

  private final Setup setup;
  private final ItemScores scores;
  private final @Nullable Repetition pool;
  private boolean uniform;
  private @Nullable ImportanceEpoch current;
  private @Nullable Drawn next;

  /**
   * The settings of a job that reads by importance.
   *
   * @param items samples of the data set
   * @param step samples of all ranks in one step
   * @param seed decides all lists
   * @param mode how they are drawn
   * @param floor the least share of different samples in an epoch, 0 to 1; without effect on a pool
   * @param pool the share of the data set that an epoch draws from, see {@link Repetition}; 1 for
   *     all of it
   */
  public record Setup(
      int items, int step, long seed, ImportanceMode mode, double floor, double pool) {
    /** Makes the settings with the usual floor, which the paper does not have, and no pool. */
    public static Setup of(int items, int step, long seed, ImportanceMode mode) {
      double floor = mode == ImportanceMode.SHADE_PAPER ? 0 : ImportanceDraw.DEFAULT_FLOOR;
      return new Setup(items, step, seed, mode, floor, 1);
    }

    /** Returns a copy that draws from a share of the data set, which repeats samples more often. */
    public Setup withPool(double share) {
      return new Setup(items, step, seed, mode, floor, share);
    }
  }

  private ImportanceLists(Setup setup, ItemScores scores, boolean uniform) {
    this.setup = setup;
    this.scores = scores;
    this.pool = setup.pool() == 1 ? null : new Repetition(scores, setup.pool(), setup.seed());
    this.uniform = uniform;
  }

  /** Begins without any score. */
  public static ImportanceLists begin(Setup setup) {
    return new ImportanceLists(setup, new ItemScores(setup.items()), false);
  }

  /**
   * Begins an epoch: its list is drawn now, unless it was drawn when the one before began. The next
   * one is drawn now, where lists are drawn ahead.
   */
  public ImportanceEpoch begin(int epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch " + epoch + "; they count from 0");
    }
    Drawn drawn = next != null && next.epoch() == epoch ? next : draw(epoch);
    next = setup.mode().drawsAhead() ? draw(epoch + 1) : null;
    return become(drawn);
  }

  private ImportanceEpoch become(Drawn drawn) {
    ImportanceEpoch begun =
        new ImportanceEpoch(drawn, following(), scores, setup.mode().ranksByScore());
    current = begun;
    return begun;
  }

  private Drawn draw(int epoch) {
    long order = SeededRandom.derive(~setup.seed(), epoch);
    if (uniform) {
      SeededPermutation all = new SeededPermutation(setup.items(), order);
      int[] entries = new int[setup.items()];
      Arrays.setAll(entries, all::at);
      return new Drawn(epoch, new ItemList(setup.items(), entries), new PackedScores(0), 0, 0);
    }
    ItemList drawn =
        pool == null
            ? ImportanceDraw.draw(scores, setup.floor(), setup.seed(), epoch)
            : pool.draw(epoch);
    ItemList list =
        setup.mode() == ImportanceMode.SHADE_PAPER
            ? drawn
            : RepeatLayout.of(drawn, setup.step(), order);
    double mean = pool == null ? meanScore() : pool.meanScore(epoch);
    return new Drawn(epoch, list, scores.copy(), scores.middle(), mean);
  }

  private double meanScore() {
    double sum = 0;
    for (int item = 0; item < setup.items(); item++) {
      sum += scores.score(item);
    }
    return sum / setup.items();
  }

  /** Returns the epoch that was begun last; null before the first. */
  public @Nullable ImportanceEpoch current() {
    return current;
  }

  /** Returns the list of the epoch that follows; empty where it is not drawn yet. */
  public ItemList following() {
    return next == null ? new ItemList(setup.items(), new int[0]) : next.list();
  }

  /** Returns the latest scores; reports go here. */
  public ItemScores scores() {
    return scores;
  }

  /** Returns to plain shuffles of all samples from the next list on that is drawn. */
  public void returnToUniform() {
    uniform = true;
  }

  /** Returns true if lists are plain shuffles from now on. */
  public boolean isUniform() {
    return uniform;
  }

  /** Returns the share of reads that go to the store with each sixteenth of the data cached. */
  public double[] unread() {
    ItemList list = current == null ? following() : current.list();
    return ListCurve.of(following().size() == 0 ? list : following(), list);
  }

  /**
   * The state that is saved with a checkpoint.
   *
   * @param epoch the epoch that was begun last; -1 for none
   * @param scores the latest scores
   * @param largestBatch samples of the largest batch reported
   * @param list entries of the epoch's list
   * @param drawnBy the scores it was drawn by; empty where all had the same chance
   * @param uniform whether lists are plain shuffles from now on
   * @param following entries of the next list and the scores it was drawn by; empty where it was
   *     not drawn yet
   * @param means the mean of the scores that each of both lists was drawn by
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Saved(
      int epoch,
      int[] scores,
      int largestBatch,
      int[] list,
      int[] drawnBy,
      boolean uniform,
      int[][] following,
      double[] means) {}

  /** Returns the state; nothing in it changes any more. */
  public Saved save() {
    Drawn now = current == null ? NOTHING : current.drawn();
    int[][] ahead =
        next == null ? new int[0][] : new int[][] {next.list().entries(), next.allScores()};
    return new Saved(
        now.epoch(),
        scores.toArray(),
        scores.largestBatch(),
        now.list().entries(),
        now.allScores(),
        uniform,
        ahead,
        new double[] {now.mean(), next == null ? 0 : next.mean()});
  }

  /** Returns the lists of a job that goes on where a state was saved. */
  public static ImportanceLists restored(Setup setup, Saved saved) {
    if (saved.scores.length != setup.items()) {
      throw new IllegalArgumentException(
          "saved scores of %d items; the data set has %d"
              .formatted(saved.scores.length, setup.items()));
    }
    ItemScores scores = ItemScores.restored(saved.scores, saved.largestBatch);
    ImportanceLists lists = new ImportanceLists(setup, scores, saved.uniform);
    if (saved.epoch >= 0) {
      lists.next =
          saved.following.length == 0
              ? null
              : drawn(
                  setup, saved.epoch + 1, saved.following[0], saved.following[1], saved.means[1]);
      lists.become(drawn(setup, saved.epoch, saved.list, saved.drawnBy, saved.means[0]));
    }
    return lists;
  }

  private static Drawn drawn(Setup setup, int epoch, int[] entries, int[] by, double mean) {
    if (by.length != 0 && by.length != setup.items()) {
      throw new IllegalArgumentException("a list drawn by the scores of " + by.length + " items");
    }
    ItemList list = new ItemList(setup.items(), entries);
    return new Drawn(epoch, list, PackedScores.of(by), 0, mean);
  }
}
