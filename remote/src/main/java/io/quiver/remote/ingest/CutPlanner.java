package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.Cut.PlannedCut;
import io.quiver.remote.ingest.IngestOptions.IngestKind;
import io.quiver.remote.ingest.IngestOptions.ItemRules;
import io.quiver.remote.ingest.IngestOptions.RecordShape;
import io.quiver.remote.ingest.RecordCut.LabelObject;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides how an object is cut, and slices large ones so that several workers share them. */
final class CutPlanner {
  private static final long SLICE_BYTES = 32L << 20;
  private static final long SLICE_RECORDS = 1 << 20;
  private static final Pattern COMPRESSED_TAR =
      Pattern.compile(".*\\.(tar\\.(gz|bz2|xz|zst|lz4|Z)|tgz|tbz2|txz)");
  private static final Pattern COMPRESSED_IDX = Pattern.compile("(.*)\\.(gz|bz2|xz|zst)");

  private final RemoteStore store;
  private final IngestOptions options;
  private final ItemRules rules;
  private final Optional<PreviousRun> previous;

  CutPlanner(RemoteStore store, IngestOptions options, Optional<PreviousRun> previous) {
    this.store = store;
    this.options = options;
    this.rules = options.rules();
    this.previous = previous;
  }

  /**
   * Returns the cuts of an object in order; none for an object that only holds another's labels.
   */
  List<PlannedCut> plan(RemoteObject object) {
    try {
      return switch (kindOf(object.name())) {
        case TAR -> List.of(reusedOr(object, new TarCut(store, object, rules), false));
        case IDX -> idx(object);
        case RECORDS -> records(object);
        case FILES, AUTO ->
            List.of(reusedOr(object, new WholeObjectCut(store, object, rules), true));
      };
    } catch (IOException e) {
      return List.of(failed(object, e));
    }
  }

  private IngestKind kindOf(String name) throws IngestException {
    boolean auto = options.kind() == IngestKind.AUTO;
    if ((auto || options.kind() == IngestKind.TAR) && COMPRESSED_TAR.matcher(name).matches()) {
      throw new IngestException(
          ("'%s' is a compressed archive: members cannot be read one by one; decompress it first,"
                  + " or choose the kind 'files' if the archive itself is the item")
              .formatted(name));
    }
    var compressed = COMPRESSED_IDX.matcher(name);
    if ((auto || options.kind() == IngestKind.IDX)
        && compressed.matches()
        && IdxHeader.named(compressed.group(1))) {
      throw IdxHeader.compressed(name);
    }
    if (!auto) {
      return options.kind();
    }
    if (name.endsWith(".tar")) {
      return IngestKind.TAR;
    }
    return IdxHeader.named(name) ? IngestKind.IDX : IngestKind.FILES;
  }

  private List<PlannedCut> idx(RemoteObject object) throws IOException {
    RemoteObject labels = labelsOf(object);
    RemoteObject both = labels == null ? object : joined(object, labels);
    Optional<PlannedCut> reused = reused(both, false);
    if (reused.isPresent()) {
      return List.of(reused.get());
    }
    IdxHeader header = IdxHeader.read(store, object);
    if (header.dimensions() == 1) {
      return labelsOnly(object);
    }
    if (header.recordBytes() < 1 || header.recordBytes() > Integer.MAX_VALUE) {
      throw new IngestException(
          "'%s' has records of %d bytes, an item has 1 to 2147483647; exclude it"
              .formatted(object.name(), header.recordBytes()));
    }
    RecordShape shape =
        new RecordShape(header.headerBytes(), (int) header.recordBytes(), RecordShape.NO_LABEL);
    LabelObject beside = labels == null ? null : labelObject(labels, object, header);
    return slices(both, shape, beside, header.records());
  }

  private List<PlannedCut> labelsOnly(RemoteObject object) throws IngestException {
    if (object.name().contains("labels")) {
      return List.of();
    }
    throw new IngestException(
        ("'%s' has one dimension, so it holds labels, not items; name it like its images with"
                + " 'labels' for 'images' and 'idx1', or exclude it")
            .formatted(object.name()));
  }

  private LabelObject labelObject(RemoteObject labels, RemoteObject images, IdxHeader header)
      throws IOException {
    IdxHeader found = IdxHeader.read(store, labels);
    if (found.dimensions() != 1
        || found.recordBytes() != 1
        || found.records() != header.records()) {
      throw new IngestException(
          "'%s' has %d labels of %d bytes for the %d items of '%s'; fetch both again or exclude it"
              .formatted(
                  labels.name(),
                  found.records(),
                  found.recordBytes(),
                  header.records(),
                  images.name()));
    }
    return new LabelObject(labels.name(), found.headerBytes());
  }

  private @Nullable RemoteObject labelsOf(RemoteObject images) throws IOException {
    String name = IdxHeader.labelsOf(images.name());
    if (name.isEmpty()) {
      return null;
    }
    try {
      return store.stat(name);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static RemoteObject joined(RemoteObject images, RemoteObject labels) {
    boolean known = !images.version().isEmpty() && !labels.version().isEmpty();
    String version = known ? images.version() + " " + labels.version() : "";
    return new RemoteObject(images.name(), images.size(), version);
  }

  private List<PlannedCut> records(RemoteObject object) throws IOException {
    Optional<PlannedCut> reused = reused(object, false);
    if (reused.isPresent()) {
      return List.of(reused.get());
    }
    RecordShape shape = options.records().orElseThrow();
    long data = object.size() - shape.headerBytes();
    if (data < 0 || data % shape.recordBytes() != 0) {
      throw new IngestException(
          "'%s' has %d bytes: %d after a header of %d, no multiple of %d; check the record shape"
              .formatted(
                  object.name(), object.size(), data, shape.headerBytes(), shape.recordBytes()));
    }
    return slices(object, shape, null, data / shape.recordBytes());
  }

  private List<PlannedCut> slices(
      RemoteObject object, RecordShape shape, @Nullable LabelObject labels, long count)
      throws IngestException {
    rules.admits(shape.recordBytes(), object.name());
    long perSlice = Math.clamp(SLICE_BYTES / shape.recordBytes(), 1, SLICE_RECORDS);
    List<PlannedCut> slices = new ArrayList<>();
    for (long first = 0; first == 0 || first < count; first += perSlice) {
      long end = Math.min(count, first + perSlice);
      boolean last = end == count;
      long bytes = (end - first) * shape.recordBytes();
      Cut cut =
          end == first
              ? (hasher, sink) -> {}
              : new RecordCut(store, object, shape, labels, first, end);
      long share = last ? object.size() - first * shape.recordBytes() : bytes;
      slices.add(new PlannedCut(object, cut, share, last, false, false));
    }
    return slices;
  }

  private PlannedCut reusedOr(RemoteObject object, Cut cut, boolean whole) {
    return reused(object, whole)
        .orElseGet(() -> new PlannedCut(object, cut, object.size(), true, whole, false));
  }

  private Optional<PlannedCut> reused(RemoteObject object, boolean whole) {
    return previous.flatMap(run ->
        run.find(object)
            .map(rows ->
                new PlannedCut(
                    object,
                    (hasher, sink) -> run.copy(rows, sink),
                    object.size(),
                    true,
                    whole,
                    true)));
  }

  private static PlannedCut failed(RemoteObject object, IOException cause) {
    Cut cut =
        (hasher, sink) -> {
          throw cause;
        };
    return new PlannedCut(object, cut, object.size(), true, true, false);
  }
}
