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
 * Holds everything a loader can be told. Immutable: {@link #of} gives a configuration with the
 * usual values, and every {@code with} a copy with another one.
 */
public final class LoaderConfig {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  private String job;
  private final DatasetDigest digest;
  private final RemoteStore store;
  private List<URI> servers = List.of();
  private Optional<URI> manager = Optional.empty();
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
  private Optional<EpochState> resume = Optional.empty();
  private Optional<Path> trust = Optional.empty();
  private String user = System.getProperty("user.name", "");
  private int gpus;
  private DeliveryListener listener = DeliveryListener.NONE;

  private LoaderConfig(String job, DatasetDigest digest, RemoteStore store) {
    this.job = job;
    this.digest = digest;
    this.store = store;
    check();
  }

  private LoaderConfig(LoaderConfig from) {
    this.job = from.job;
    this.digest = from.digest;
    this.store = from.store;
    this.servers = from.servers;
    this.manager = from.manager;
    this.caching = from.caching;
    this.sampler = from.sampler;
    this.batch = from.batch;
    this.seed = from.seed;
    this.rank = from.rank;
    this.ranksHere = from.ranksHere;
    this.ranks = from.ranks;
    this.epochs = from.epochs;
    this.dropLast = from.dropLast;
    this.equalSteps = from.equalSteps;
    this.homogeneous = from.homogeneous;
    this.warming = from.warming;
    this.ahead = from.ahead;
    this.reads = from.reads;
    this.inserts = from.inserts;
    this.onMismatch = from.onMismatch;
    this.resume = from.resume;
    this.trust = from.trust;
    this.user = from.user;
    this.gpus = from.gpus;
    this.listener = from.listener;
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
  }

  private static void require(boolean fine, String what, String remedy) {
    if (!fine) {
      throw new IllegalArgumentException(what + "; use " + remedy);
    }
  }

  /** With this name. */
  public LoaderConfig withJob(String value) {
    return changed(copy -> copy.job = value);
  }

  /** With these cache servers. */
  public LoaderConfig withServers(List<URI> value) {
    return changed(copy -> copy.servers = List.copyOf(value));
  }

  /** With this cache manager. */
  public LoaderConfig withManager(URI value) {
    return changed(copy -> copy.manager = Optional.of(value));
  }

  /** With this use of the cache. */
  public LoaderConfig withCaching(Caching value) {
    return changed(copy -> copy.caching = value);
  }

  /** With this sampler. */
  public LoaderConfig withSampler(SamplerKind value) {
    return changed(copy -> copy.sampler = value);
  }

  /** With batches of this many items. */
  public LoaderConfig withBatch(int value) {
    return changed(copy -> copy.batch = value);
  }

  /** With this seed. */
  public LoaderConfig withSeed(long value) {
    return changed(copy -> copy.seed = value);
  }

  /** As one process of several, with one rank of the job's. */
  public LoaderConfig withRank(int value, int all) {
    return withRanks(value, 1, all);
  }

  /** With so many ranks, from a first one on, of all the job's. */
  public LoaderConfig withRanks(int first, int here, int all) {
    return changed(copy -> {
      copy.rank = first;
      copy.ranksHere = here;
      copy.ranks = all;
    });
  }

  /** Running this many epochs. */
  public LoaderConfig withEpochs(int value) {
    return changed(copy -> copy.epochs = value);
  }

  /** With a short last batch left out or not. */
  public LoaderConfig withDropLast(boolean value) {
    return changed(copy -> copy.dropLast = value);
  }

  /** With ranks kept in step, or not. */
  public LoaderConfig withEqualSteps(EqualSteps value) {
    return changed(copy -> copy.equalSteps = value);
  }

  /** With each batch from one stretch of the data set, or not. */
  public LoaderConfig withHomogeneous(boolean value) {
    return changed(copy -> copy.homogeneous = value);
  }

  /** Bringing the data set into the cache without reading epochs of it, or not. */
  public LoaderConfig withWarming(boolean value) {
    return changed(copy -> copy.warming = value);
  }

  /** Reading so far ahead. */
  public LoaderConfig withAhead(ReadAhead value) {
    return changed(copy -> copy.ahead = value);
  }

  /** With so many reads from the store at once. */
  public LoaderConfig withReads(StoreReads value) {
    return changed(copy -> copy.reads = value);
  }

  /** With these bounds of inserting. */
  public LoaderConfig withInserts(InsertBounds value) {
    return changed(copy -> copy.inserts = value);
  }

  /** Treating changed items this way. */
  public LoaderConfig withOnMismatch(OnMismatch value) {
    return changed(copy -> copy.onMismatch = value);
  }

  /** Going on from where all ranks together stood. */
  public LoaderConfig withResume(EpochState value) {
    return changed(copy -> copy.resume = Optional.of(value));
  }

  /** Trusting the certificates in this PEM file, and no others. */
  public LoaderConfig withTrust(Path pem) {
    return changed(copy -> copy.trust = Optional.of(pem));
  }

  /** As this user's. */
  public LoaderConfig withUser(String value) {
    return changed(copy -> copy.user = value);
  }

  /** With so many GPUs in all its processes. */
  public LoaderConfig withGpus(int value) {
    return changed(copy -> copy.gpus = value);
  }

  /** How many GPUs wait when this process does. */
  int gpusHere() {
    return Math.max(1, gpus == 0 ? ranksHere : (int) ((long) gpus * ranksHere / ranks));
  }

  /** Telling this listener of every batch. */
  public LoaderConfig withListener(DeliveryListener value) {
    return changed(copy -> copy.listener = value);
  }

  private LoaderConfig changed(Consumer<LoaderConfig> change) {
    LoaderConfig copy = new LoaderConfig(this);
    change.accept(copy);
    copy.check();
    return copy;
  }

  /** Returns the job's name, unique among those that run. */
  public String job() {
    return job;
  }

  /** Returns the digest of what it reads. */
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

  /** Returns the cache manager; empty for none. */
  public Optional<URI> manager() {
    return manager;
  }

  /** Returns what to do with the cache. */
  public Caching caching() {
    return caching;
  }

  /** Returns how epochs are put in order. */
  public SamplerKind sampler() {
    return sampler;
  }

  /** Returns how many items one rank takes at a time. */
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

  /** Returns how many ranks this process has, from that one on. */
  public int ranksHere() {
    return ranksHere;
  }

  /** Returns how many ranks the job has in all its processes. */
  public int ranks() {
    return ranks;
  }

  /** Returns how many epochs the job runs. */
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

  /** Returns true if it reads no epochs and only brings in what the plan has loading. */
  public boolean warming() {
    return warming;
  }

  /** Returns how far reading runs ahead of each rank. */
  public ReadAhead ahead() {
    return ahead;
  }

  /** Returns how many reads from the store are under way at once. */
  public StoreReads reads() {
    return reads;
  }

  /** Returns how what was read goes into the cache. */
  public InsertBounds inserts() {
    return inserts;
  }

  /** Returns what becomes of items that changed in the store. */
  public OnMismatch onMismatch() {
    return onMismatch;
  }

  /** Returns where to go on; empty to begin at the beginning. */
  public Optional<EpochState> resume() {
    return resume;
  }

  /** Returns a PEM file with the certificates https servers are checked against. */
  public Optional<Path> trust() {
    return trust;
  }

  /** Returns whose job it is, for quotas. */
  public String user() {
    return user;
  }

  /** Returns how many GPUs the job has in all its processes; 0 for one for each rank. */
  public int gpus() {
    return gpus;
  }

  /** Returns the listener that is told of every batch delivered. */
  public DeliveryListener listener() {
    return listener;
  }
}
