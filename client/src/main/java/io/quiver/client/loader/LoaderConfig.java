package io.quiver.client.loader;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.Caching;
import io.quiver.remote.RemoteStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Everything a loader can be told.
 *
 * @param job the job's name, unique among those that run
 * @param digest what it reads
 * @param store where the items lie; stays open when the loader is closed
 * @param servers the cache servers; those a plan names take their place
 * @param manager the cache manager; empty for none
 * @param caching what to do with the cache
 * @param sampler how epochs are put in order
 * @param batch how many items one rank takes at a time
 * @param seed decides every order; all ranks of a job share it
 * @param rank the first rank of this process
 * @param ranksHere how many ranks this process has, from that one on
 * @param ranks how many ranks the job has in all its processes
 * @param epochs how many epochs the job runs
 * @param dropLast whether a last batch that would be short is left out
 * @param equalSteps whether all ranks take the same number of steps
 * @param homogeneous whether a batch's items lie near each other in the data set; not in strict
 *     order
 * @param warming whether it reads no epochs and only brings in what the plan has loading
 * @param ahead how far reading runs ahead of each rank
 * @param reads how many reads from the store are under way at once
 * @param inserts how what was read goes into the cache
 * @param onMismatch what becomes of items that changed in the store
 * @param resume where to go on; empty to begin at the beginning
 * @param trust a PEM file with the certificates https servers are checked against
 * @param user whose job it is, for quotas
 * @param gpus how many GPUs the job has in all its processes; 0 for one for each rank
 * @param listener told of every batch delivered
 */
public record LoaderConfig(
    String job,
    DatasetDigest digest,
    RemoteStore store,
    List<URI> servers,
    Optional<URI> manager,
    Caching caching,
    SamplerKind sampler,
    int batch,
    long seed,
    int rank,
    int ranksHere,
    int ranks,
    int epochs,
    boolean dropLast,
    EqualSteps equalSteps,
    boolean homogeneous,
    boolean warming,
    ReadAhead ahead,
    StoreReads reads,
    InsertBounds inserts,
    OnMismatch onMismatch,
    Optional<EpochState> resume,
    Optional<Path> trust,
    String user,
    int gpus,
    DeliveryListener listener) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  /** Checks every value. */
  public LoaderConfig {
    servers = List.copyOf(servers);
    require(NAME.matcher(job).matches(), "a job named \"" + job + "\"", "letters, digits, . _ -");
    require(batch >= 1, "batches of " + batch, "at least 1");
    require(gpus >= 0, gpus + " GPUs", "at least 1, or 0 for as many as ranks");
    require(user.length() <= 128, "a user with " + user.length() + " letters", "at most 128");
    require(epochs >= 1, epochs + " epochs", "at least 1");
    require(
        ranks >= 1 && rank >= 0 && ranksHere >= 1 && rank + ranksHere <= ranks,
        "ranks " + rank + " to " + (rank + ranksHere - 1) + " of " + ranks,
        "ranks from 0 up to their number");
    require(
        !(homogeneous && sampler == SamplerKind.STRICT),
        "homogeneous batches in strict order",
        "the sampler substitute or paper");
  }

  private static void require(boolean fine, String what, String remedy) {
    if (!fine) {
      throw new IllegalArgumentException(what + "; use " + remedy);
    }
  }

  /** One rank that runs one epoch in batches of 64, without a cache until one is named. */
  public static LoaderConfig of(String job, DatasetDigest digest, RemoteStore store) {
    return new LoaderConfig(
        job,
        digest,
        store,
        List.of(),
        Optional.empty(),
        Caching.PLANNED,
        SamplerKind.SUBSTITUTE,
        64,
        0,
        0,
        1,
        1,
        1,
        false,
        EqualSteps.OFF,
        false,
        false,
        ReadAhead.STANDARD,
        StoreReads.STANDARD,
        InsertBounds.STANDARD,
        OnMismatch.SERVE,
        Optional.empty(),
        Optional.empty(),
        System.getProperty("user.name", ""),
        0,
        DeliveryListener.NONE);
  }

  /** With this name. */
  public LoaderConfig withJob(String value) {
    return changed(draft -> draft.job = value);
  }

  /** With these cache servers. */
  public LoaderConfig withServers(List<URI> value) {
    return changed(draft -> draft.servers = value);
  }

  /** With this cache manager. */
  public LoaderConfig withManager(URI value) {
    return changed(draft -> draft.manager = Optional.of(value));
  }

  /** With this use of the cache. */
  public LoaderConfig withCaching(Caching value) {
    return changed(draft -> draft.caching = value);
  }

  /** With this sampler. */
  public LoaderConfig withSampler(SamplerKind value) {
    return changed(draft -> draft.sampler = value);
  }

  /** With batches of this many items. */
  public LoaderConfig withBatch(int value) {
    return changed(draft -> draft.batch = value);
  }

  /** With this seed. */
  public LoaderConfig withSeed(long value) {
    return changed(draft -> draft.seed = value);
  }

  /** As one process of several, with one rank of the job's. */
  public LoaderConfig withRank(int value, int all) {
    return withRanks(value, 1, all);
  }

  /** With so many ranks, from a first one on, of all the job's. */
  public LoaderConfig withRanks(int first, int here, int all) {
    return changed(draft -> {
      draft.rank = first;
      draft.ranksHere = here;
      draft.ranks = all;
    });
  }

  /** Running this many epochs. */
  public LoaderConfig withEpochs(int value) {
    return changed(draft -> draft.epochs = value);
  }

  /** With a short last batch left out or not. */
  public LoaderConfig withDropLast(boolean value) {
    return changed(draft -> draft.dropLast = value);
  }

  /** With ranks kept in step, or not. */
  public LoaderConfig withEqualSteps(EqualSteps value) {
    return changed(draft -> draft.equalSteps = value);
  }

  /** With each batch from one stretch of the data set, or not. */
  public LoaderConfig withHomogeneous(boolean value) {
    return changed(draft -> draft.homogeneous = value);
  }

  /** Bringing the data set into the cache without reading epochs of it, or not. */
  public LoaderConfig withWarming(boolean value) {
    return changed(draft -> draft.warming = value);
  }

  /** Reading so far ahead. */
  public LoaderConfig withAhead(ReadAhead value) {
    return changed(draft -> draft.ahead = value);
  }

  /** With so many reads from the store at once. */
  public LoaderConfig withReads(StoreReads value) {
    return changed(draft -> draft.reads = value);
  }

  /** With these bounds of inserting. */
  public LoaderConfig withInserts(InsertBounds value) {
    return changed(draft -> draft.inserts = value);
  }

  /** Treating changed items this way. */
  public LoaderConfig withOnMismatch(OnMismatch value) {
    return changed(draft -> draft.onMismatch = value);
  }

  /** Going on from where all ranks together stood. */
  public LoaderConfig withResume(EpochState value) {
    return changed(draft -> draft.resume = Optional.of(value));
  }

  /** Trusting the certificates in this PEM file, and no others. */
  public LoaderConfig withTrust(Path pem) {
    return changed(draft -> draft.trust = Optional.of(pem));
  }

  /** As this user's. */
  public LoaderConfig withUser(String value) {
    return changed(draft -> draft.user = value);
  }

  /** With so many GPUs in all its processes. */
  public LoaderConfig withGpus(int value) {
    return changed(draft -> draft.gpus = value);
  }

  /** How many GPUs wait when this process does. */
  int gpusHere() {
    return Math.max(1, gpus == 0 ? ranksHere : (int) ((long) gpus * ranksHere / ranks));
  }

  /** Telling this listener of every batch. */
  public LoaderConfig withListener(DeliveryListener value) {
    return changed(draft -> draft.listener = value);
  }

  private LoaderConfig changed(Consumer<LoaderDraft> change) {
    LoaderDraft draft = new LoaderDraft(this);
    change.accept(draft);
    return draft.finish();
  }
}
