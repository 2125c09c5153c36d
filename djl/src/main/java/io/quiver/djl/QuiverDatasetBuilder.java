package io.quiver.djl;

import ai.djl.translate.Batchifier;
import io.quiver.client.GetRequest.Verification;
import io.quiver.client.JobNames;
import io.quiver.client.loader.ImportanceChoice;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.SamplerKind;
import io.quiver.djl.BatchMaker.Decoding;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.open.RemoteStores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link QuiverDataset} in DJL's manner: required settings begin with {@code set},
 * optional ones with {@code opt}.
 */
public final class QuiverDatasetBuilder {
  private @Nullable Path digestFile;
  private @Nullable DatasetDigest digest;
  private @Nullable String storeUri;
  private @Nullable RemoteStore store;
  private @Nullable Decoder decoder;
  private @Nullable BatchDecoder batchDecoder;
  private Batchifier dataBatchifier = Batchifier.STACK;
  private Batchifier labelBatchifier = Batchifier.STACK;
  private String job = JobNames.unique("djl");
  // Applied in the order of the calls.
  private UnaryOperator<LoaderConfig> settings = config -> config.withEpochs(Integer.MAX_VALUE);

  QuiverDatasetBuilder() {}

  /** Returns the digest of the data set, in a file that {@code quiver digest create} has made. */
  public QuiverDatasetBuilder setDigest(Path file) {
    digestFile = file;
    return this;
  }

  /** Returns the digest of the data set, which stays open. */
  public QuiverDatasetBuilder setDigest(DatasetDigest value) {
    digest = value;
    return this;
  }

  /** Sets the decoder that turns one item into arrays; batchifiers combine the items of a batch. */
  public QuiverDatasetBuilder setDecoder(Decoder value) {
    decoder = value;
    batchDecoder = null;
    return this;
  }

  /** Sets the decoder that turns a whole batch into arrays. */
  public QuiverDatasetBuilder setBatchDecoder(BatchDecoder value) {
    batchDecoder = value;
    decoder = null;
    return this;
  }

  /**
   * Sets the number of items of a batch, 64 by default; the last one of an epoch may have fewer.
   */
  public QuiverDatasetBuilder optBatchSize(int value) {
    return optLoader(config -> config.withBatch(value));
  }

  /**
   * Sets the address of the items: a folder, {@code s3://bucket/prefix}, {@code
   * az://container/prefix}, {@code http(s)://}; by default the digest's own.
   */
  public QuiverDatasetBuilder optStore(String uri) {
    storeUri = uri;
    return this;
  }

  /** Sets the store of the items, which stays open when the data set is closed. */
  public QuiverDatasetBuilder optStore(RemoteStore value) {
    store = value;
    return this;
  }

  /**
   * Sets the addresses of the cache managers, of which the first that answers is used; without one
   * everything comes from the store. Credentials are those of the environment.
   */
  public QuiverDatasetBuilder optCache(URI... managers) {
    return optLoader(config -> config.withManagers(List.of(managers)));
  }

  /** Sets the job's name, unique among running jobs. */
  public QuiverDatasetBuilder optJob(String name) {
    job = name;
    return this;
  }

  /** Sets the number of epochs, if it is known: it lets the cache plan the end. */
  public QuiverDatasetBuilder optEpochs(int value) {
    return optLoader(config -> config.withEpochs(value));
  }

  /** Decides every order. */
  public QuiverDatasetBuilder optSeed(long value) {
    return optLoader(config -> config.withSeed(value));
  }

  /** Sets the order of epochs; {@code STRICT} is one seeded shuffle whatever is cached. */
  public QuiverDatasetBuilder optSampler(SamplerKind value) {
    return optLoader(config -> config.withSampler(value));
  }

  /** Draws samples by importance: see {@link EpochData#report} and {@link EpochData#weights}. */
  public QuiverDatasetBuilder optImportance(ImportanceChoice value) {
    return optLoader(config -> config.withImportance(value));
  }

  /** Sets the check of what cache servers send; by default the hashes of a sample. */
  public QuiverDatasetBuilder optVerification(Verification value) {
    return optLoader(config -> config.withVerification(value));
  }

  /** Goes on where a data set with the same digest and seed stood. */
  public QuiverDatasetBuilder optResume(EpochState state) {
    return optLoader(config -> config.withSeed(state.seed()).withResume(state));
  }

  /** Puts the items of a batch together, and divides a batch among devices; by default stacks. */
  public QuiverDatasetBuilder optDataBatchifier(Batchifier value) {
    dataBatchifier = value;
    return this;
  }

  /** Sets the batchifier of the labels. */
  public QuiverDatasetBuilder optLabelBatchifier(Batchifier value) {
    labelBatchifier = value;
    return this;
  }

  /** Changes any other setting of the loader: ranks, reading ahead, treatment of changed items. */
  public QuiverDatasetBuilder optLoader(UnaryOperator<LoaderConfig> change) {
    UnaryOperator<LoaderConfig> before = settings;
    settings = config -> change.apply(before.apply(config));
    return this;
  }

  /**
   * Opens what must be opened and joins the cache.
   *
   * @throws IOException if digest or store cannot be opened
   */
  public QuiverDataset build() throws IOException {
    Decoding decoding = decoding();
    List<AutoCloseable> opened = new ArrayList<>();
    boolean built = false;
    try {
      DatasetDigest items = openDigest(opened);
      LoaderConfig plain = LoaderConfig.of(job, items, openStore(items, opened));
      QuiverDataset dataset = new QuiverDataset(settings.apply(plain), decoding, opened.reversed());
      built = true;
      return dataset;
    } finally {
      if (!built) {
        opened.reversed().forEach(QuiverDataset::close);
      }
    }
  }

  private Decoding decoding() {
    if (batchDecoder != null) {
      return new Decoding(batchDecoder, dataBatchifier, labelBatchifier);
    }
    if (decoder == null) {
      throw new IllegalStateException("no decoder; set one with setDecoder or setBatchDecoder");
    }
    return new Decoding(
        new ItemByItem(decoder, dataBatchifier, labelBatchifier), dataBatchifier, labelBatchifier);
  }

  private DatasetDigest openDigest(List<AutoCloseable> opened) throws IOException {
    if (digest != null) {
      return digest;
    }
    if (digestFile == null) {
      throw new IllegalStateException("no digest; name its file with setDigest");
    }
    DigestFile file = DigestFile.open(digestFile);
    opened.add(file);
    return file.digest();
  }

  private RemoteStore openStore(DatasetDigest items, List<AutoCloseable> opened)
      throws IOException {
    if (store != null) {
      return store;
    }
    String uri = storeUri != null ? storeUri : items.metadata().get(DigestMetadata.SOURCE);
    if (uri == null) {
      throw new IllegalStateException("the digest does not name its store; name it with optStore");
    }
    RemoteStore own = RemoteStores.open(uri, RemoteConfig.DEFAULT);
    opened.add(own);
    return own;
  }
}
