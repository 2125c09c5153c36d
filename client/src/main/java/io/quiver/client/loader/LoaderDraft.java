package io.quiver.client.loader;

import io.quiver.core.order.EpochState;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.Caching;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** All values of a configuration while some of them change. */
final class LoaderDraft {
  private final LoaderConfig from;
  String job;
  List<URI> servers;
  Optional<URI> manager;
  Caching caching;
  SamplerKind sampler;
  int batch;
  long seed;
  int rank;
  int ranksHere;
  int ranks;
  int epochs;
  boolean dropLast;
  EqualSteps equalSteps;
  boolean homogeneous;
  boolean warming;
  ReadAhead ahead;
  StoreReads reads;
  InsertBounds inserts;
  OnMismatch onMismatch;
  Optional<EpochState> resume;
  Optional<Path> trust;
  String user;
  int gpus;
  DeliveryListener listener;

  LoaderDraft(LoaderConfig from) {
    this.from = from;
    job = from.job();
    servers = from.servers();
    manager = from.manager();
    caching = from.caching();
    sampler = from.sampler();
    batch = from.batch();
    seed = from.seed();
    rank = from.rank();
    ranksHere = from.ranksHere();
    ranks = from.ranks();
    epochs = from.epochs();
    dropLast = from.dropLast();
    equalSteps = from.equalSteps();
    homogeneous = from.homogeneous();
    warming = from.warming();
    ahead = from.ahead();
    reads = from.reads();
    inserts = from.inserts();
    onMismatch = from.onMismatch();
    resume = from.resume();
    trust = from.trust();
    user = from.user();
    gpus = from.gpus();
    listener = from.listener();
  }

  LoaderConfig finish() {
    return new LoaderConfig(
        job,
        from.digest(),
        from.store(),
        servers,
        manager,
        caching,
        sampler,
        batch,
        seed,
        rank,
        ranksHere,
        ranks,
        epochs,
        dropLast,
        equalSteps,
        homogeneous,
        warming,
        ahead,
        reads,
        inserts,
        onMismatch,
        resume,
        trust,
        user,
        gpus,
        listener);
  }
}
