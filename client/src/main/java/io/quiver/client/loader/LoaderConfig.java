package io.quiver.client.loader;

import io.quiver.client.GetRequest.Verification;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.importance.ScoreColumn;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.Caching;
import io.quiver.http.ClientCredentials;
import io.quiver.remote.RemoteStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Holds all settings of a loader. Immutable: {@link #of} returns the usual values, and every {@code
 * with} a copy with another value. The comment of a setting is at the method that returns it.
 */
public final class LoaderConfig implements Cloneable {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  private String job;
  private final DatasetDigest digest;
  private final RemoteStore store;
  private List<URI> servers = List.of();
  private List<URI> managers = List.of();
  private Caching caching = Caching.PLANNED;
  private SamplerKind sampler = SamplerKind.SUBSTITUTE;
  private int batch = 64;
  private long seed;
  private int rank;
  private int ranksHere = 1;
  private int ranks = 1;
  private int epochs = 1;
  private boolean dropLast;
  private EqualSteps equalSteps = EqualSteps.OFF;
  private boolean homogeneous;
  private boolean warming;
  private ReadAhead ahead = ReadAhead.STANDARD;
  private StoreReads reads = StoreReads.STANDARD;
  private InsertBounds inserts = InsertBounds.STANDARD;
  private OnMismatch onMismatch = OnMismatch.SERVE;
  private Verification verification = Verification.SAMPLED;
  private Optional<EpochState> resume = Optional.empty();
  private Optional<ImportanceChoice> importance = Optional.empty();
  private ClientCredentials credentials = ClientCredentials.of(System.getenv());
  private String user = System.getProperty("user.name", "");
  private int gpus;
  private DeliveryListener listener = DeliveryListener.NONE;

  private LoaderConfig(String job, DatasetDigest digest, RemoteStore store) {
    this.job = job;
    this.digest = digest;
    this.store = store;
    check();
  }

  /** Returns a job of one rank that runs one epoch in batches of 64, without a cache so far. */
  public static LoaderConfig of(String job, DatasetDigest digest, RemoteStore store) {
    return new LoaderConfig(job, digest, store);
  }

  private void check() {
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
    require(
        importance.isEmpty() || !homogeneous, "homogeneous batches by importance", "one of both");
    require(
        importance.isEmpty() || ranksHere == ranks,
        "ranks of several processes that read by importance",
        "one process, because all ranks draw by the scores of all");
    boolean shares = importance.flatMap(ImportanceChoice::shareScores).isPresent();
    require(
        !shares || digest.itemCount() <= ScoreColumn.MAX_ITEMS,
        "scores of " + digest.itemCount() + " items, shared with other jobs",
        "at most " + ScoreColumn.MAX_ITEMS + " items");
  }

  private static void require(boolean fine, String what, String remedy) {
    if (!fine) {
      throw new IllegalArgumentException(what + "; use " + remedy);
    }
  }

  public LoaderConfig withJob(String value) {
    return changed(copy -> copy.job = value);
  }

  public LoaderConfig withServers(List<URI> value) {
    return changed(copy -> copy.servers = List.copyOf(value));
  }

  /** Returns a copy with this cache manager alone. */
  public LoaderConfig withManager(URI value) {
    return withManagers(List.of(value));
  }

  public LoaderConfig withManagers(List<URI> value) {
    return changed(copy -> copy.managers = List.copyOf(value));
  }

  public LoaderConfig withCaching(Caching value) {
    return changed(copy -> copy.caching = value);
  }

  public LoaderConfig withSampler(SamplerKind value) {
    return changed(copy -> copy.sampler = value);
  }

  public LoaderConfig withBatch(int value) {
    return changed(copy -> copy.batch = value);
  }

  public LoaderConfig withSeed(long value) {
    return changed(copy -> copy.seed = value);
  }

  /** Returns a copy for a process that runs one of the job's ranks. */
  public LoaderConfig withRank(int value, int all) {
    return withRanks(value, 1, all);
  }

  /** Returns a copy for a process that runs some of the job's ranks, from the first one on. */
  public LoaderConfig withRanks(int first, int here, int all) {
    return changed(copy -> {
      copy.rank = first;
      copy.ranksHere = here;
      copy.ranks = all;
    });
  }

  public LoaderConfig withEpochs(int value) {
    return changed(copy -> copy.epochs = value);
  }

  public LoaderConfig withDropLast(boolean value) {
    return changed(copy -> copy.dropLast = value);
  }

  public LoaderConfig withEqualSteps(EqualSteps value) {
    return changed(copy -> copy.equalSteps = value);
  }

  public LoaderConfig withHomogeneous(boolean value) {
    return changed(copy -> copy.homogeneous = value);
  }

  public LoaderConfig withWarming(boolean value) {
    return changed(copy -> copy.warming = value);
  }

  public LoaderConfig withAhead(ReadAhead value) {
    return changed(copy -> copy.ahead = value);
  }

  public LoaderConfig withReads(StoreReads value) {
    return changed(copy -> copy.reads = value);
  }

  public LoaderConfig withInserts(InsertBounds value) {
    return changed(copy -> copy.inserts = value);
  }

  public LoaderConfig withOnMismatch(OnMismatch value) {
    return changed(copy -> copy.onMismatch = value);
  }

  /** Returns a copy that checks what servers send in another way. */
  public LoaderConfig withVerification(Verification value) {
    return changed(copy -> copy.verification = value);
  }

  /** Returns a copy that resumes where all ranks together stopped. */
  public LoaderConfig withResume(EpochState value) {
    return changed(copy -> copy.resume = Optional.of(value));
  }

  /** Returns a copy that reads by importance, whatever its sampler. */
  public LoaderConfig withImportance(ImportanceChoice value) {
    return changed(copy -> copy.importance = Optional.of(value));
  }

  /** Returns a copy that trusts the certificates in this PEM file, and no others. */
  public LoaderConfig withTrust(Path pem) {
    return withCredentials(credentials.withTrust(pem));
  }

  public LoaderConfig withCredentials(ClientCredentials value) {
    return changed(copy -> copy.credentials = value);
  }

  public LoaderConfig withUser(String value) {
    return changed(copy -> copy.user = value);
  }

  public LoaderConfig withGpus(int value) {
    return changed(copy -> copy.gpus = value);
  }

  /** Returns the number of GPUs that wait when this process does. */
  int gpusHere() {
    return Math.max(1, gpus == 0 ? ranksHere : (int) ((long) gpus * ranksHere / ranks));
  }

  public LoaderConfig withListener(DeliveryListener value) {
    return changed(copy -> copy.listener = value);
  }

  private LoaderConfig changed(Consumer<LoaderConfig> change) {
    try {
      LoaderConfig copy = (LoaderConfig) clone();
      change.accept(copy);
      copy.check();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the job's name, unique among those that run. */
  public String job() {
    return job;
  }

  /** Returns the digest of the data set. */
  public DatasetDigest digest() {
    return digest;
  }

  /** Returns the store where the items lie; it stays open when the loader is closed. */
  public RemoteStore store() {
    return store;
  }

  /** Returns the cache servers; those a plan names take their place. */
  public List<URI> servers() {
    return servers;
  }

  /** Returns the cache managers in the order in which they are tried; empty for none. */
  public List<URI> managers() {
    return managers;
  }

  /** Returns the use that the job makes of the cache. */
  public Caching caching() {
    return caching;
  }

  /** Returns the kind of order of the epochs. */
  public SamplerKind sampler() {
    return sampler;
  }

  /** Returns the items of one rank's batch. */
  public int batch() {
    return batch;
  }

  /** Returns the seed that decides every order; all ranks of a job share it. */
  public long seed() {
    return seed;
  }

  /** Returns the first rank of this process. */
  public int rank() {
    return rank;
  }

  /** Returns the number of ranks in this process. */
  public int ranksHere() {
    return ranksHere;
  }

  /** Returns the number of ranks in all processes of the job. */
  public int ranks() {
    return ranks;
  }

  /** Returns the number of epochs that the job runs. */
  public int epochs() {
    return epochs;
  }

  /** Returns true if a last batch that would be short is left out. */
  public boolean dropLast() {
    return dropLast;
  }

  /** Returns the way in which all ranks take the same number of steps. */
  public EqualSteps equalSteps() {
    return equalSteps;
  }

  /** Returns true if a batch's items lie near each other in the data set; not in strict order. */
  public boolean homogeneous() {
    return homogeneous;
  }

  /** Returns true if the job reads no epochs and only loads the chunks that the plan names. */
  public boolean warming() {
    return warming;
  }

  /** Returns the bounds of reading ahead of each rank. */
  public ReadAhead ahead() {
    return ahead;
  }

  /** Returns the bounds of concurrent reads from the store. */
  public StoreReads reads() {
    return reads;
  }

  /** Returns the bounds of inserting what was read into the cache. */
  public InsertBounds inserts() {
    return inserts;
  }

  /** Returns the rule for items that changed in the store. */
  public OnMismatch onMismatch() {
    return onMismatch;
  }

  /** Returns the check of what servers send. */
  public Verification verification() {
    return verification;
  }

  /** Returns the state to resume from; empty to begin at the first item. */
  public Optional<EpochState> resume() {
    return resume;
  }

  /** Returns how lists are drawn by importance; empty for a job that reads every item once. */
  public Optional<ImportanceChoice> importance() {
    return importance;
  }

  /** Returns what managers and servers are shown and checked with; by default the environment's. */
  public ClientCredentials credentials() {
    return credentials;
  }

  /** Returns the user that the job belongs to, for quotas. */
  public String user() {
    return user;
  }

  /** Returns the number of GPUs in all processes of the job; 0 for one for each rank. */
  public int gpus() {
    return gpus;
  }

  /** Returns the listener that is told of every batch delivered. */
  public DeliveryListener listener() {
    return listener;
  }

  /** The treatment of an item whose bytes in the store are not those the digest names. */
  public enum OnMismatch {
    /** It is served with a warning. Never inserted into the cache. */
    SERVE,
    /** The batch fails. */
    REFUSE
  }

  /** Told of every batch at the moment it is handed to the training loop. */
  @FunctionalInterface
  public interface DeliveryListener {
    /** Takes no notice. */
    DeliveryListener NONE = (epoch, rank, items) -> {};

    /**
     * A batch was delivered. Called by the thread that asked for it, one batch of a rank after the
     * other; what is thrown here fails the training loop's call.
     *
     * @param epoch which epoch
     * @param rank which rank
     * @param items its items, in the batch's order
     */
    void delivered(int epoch, int rank, int[] items);
  }
}
