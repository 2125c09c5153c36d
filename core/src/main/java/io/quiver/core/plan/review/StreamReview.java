package io.quiver.core.plan.review;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.DoorSpaces;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.allocate.Tenant;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.SpaceSizes;
import io.quiver.core.plan.review.StreamDiagnosis.Activity;
import io.quiver.core.plan.stream.ObservedStream;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.plan.stream.TrackedStream;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Explains a plan's decisions about the reads of unmodified programs. */
final class StreamReview {
  private static final String NOT_MEASURED = "not measured yet: a trial, and ";

  private static final double BYTES_PER_MEGABYTE = 1e6;

  private static final Activity NO_READS = new Activity(0, 0, 0, 0, 0, 0, 0, 0);

  private final Plan plan;
  private final Observations seen;
  private final StreamTenants streams;
  private final Map<Tenant, Allocator.Claimant> claimants;
  private final BiFunction<Allocator.Claimant, Allocator.Share, String> worth;

  /**
   * Explains a plan that followed from these observations.
   *
   * @param worth says what a share is worth to a tenant
   */
  StreamReview(
      Plan plan,
      Observations seen,
      Map<Tenant, Allocator.Claimant> claimants,
      BiFunction<Allocator.Claimant, Allocator.Share, String> worth) {
    this.plan = plan;
    this.seen = seen;
    this.streams = Planner.streams(plan, seen);
    this.claimants = claimants;
    this.worth = worth;
  }

  /**
   * Returns every stream, and all reads of no stream as one.
   *
   * @param label returns the path of a stream as somebody may see it
   */
  List<StreamDiagnosis> streams(Function<ObservedStream, String> label) {
    List<StreamDiagnosis> all = new ArrayList<>();
    ObservedStream.of(seen.doors(), seen.now())
        .forEach(each -> all.add(diagnosis(each, label.apply(each))));
    @Nullable SpaceOrder order = plan.doors();
    Allocator.@Nullable Claimant claimant = claimants.get(DoorSpaces.TENANT);
    if (order != null || claimant != null) {
      all.add(ofNoStream(order, claimant));
    }
    return all;
  }

  private StreamDiagnosis ofNoStream(
      @Nullable SpaceOrder order, Allocator.@Nullable Claimant claimant) {
    DoorSpaces spaces = new DoorSpaces(order, seen);
    Allocator.Share share = share(claimant);
    return new StreamDiagnosis(
        DoorSpaces.TENANT.text(),
        "",
        AccessPattern.UNKNOWN,
        Recognition.NONE,
        DoorSpaces.SHARED,
        order == null ? null : order.keeper(),
        order == null ? 0 : order.quotaBytes(),
        spaces.heldBytes(),
        spaces.doors().stream().mapToLong(DoorReport::bytes).sum(),
        share.planned(),
        share.extra(),
        saved(claimant, share),
        NO_READS,
        spaces.doors().stream().map(DoorReport::door).toList(),
        spaces.doors().stream().map(DoorReport::user).distinct().toList(),
        whyOfNoStream(claimant, share));
  }

  private String whyOfNoStream(Allocator.@Nullable Claimant claimant, Allocator.Share share) {
    if (claimant == null) {
      return "no door runs; stays until somebody needs the bytes";
    }
    return claimant.measured()
        ? worth.apply(claimant, share) + "; and what nobody else needs"
        : NOT_MEASURED + "what nobody else needs";
  }

  private Allocator.Share share(Allocator.@Nullable Claimant claimant) {
    return claimant == null ? Allocator.Share.NOTHING : plan.share(claimant.demand().tenant());
  }

  private static @Nullable Double saved(
      Allocator.@Nullable Claimant claimant, Allocator.Share share) {
    return claimant == null || !claimant.measured()
        ? null
        : claimant.demand().gpusSaved(claimant.demand().steps(share.bytes()));
  }

  private StreamDiagnosis diagnosis(ObservedStream stream, String label) {
    StreamSummary summary = stream.summary();
    SpaceId space = StreamSpaceName.of(summary.key());
    @Nullable StreamOrder order = plan.streams().get(summary.key());
    Allocator.@Nullable Claimant claimant = claimants.get(StreamOrder.tenant(summary.key()));
    Allocator.Share share = share(claimant);
    @Nullable TrackedStream tracked = streams.tracked(summary.key());
    return new StreamDiagnosis(
        StreamOrder.tenant(summary.key()).text(),
        label,
        order == null ? summary.recognition().pattern() : order.pattern(),
        summary.recognition(),
        space,
        order == null || order.quotaBytes() == 0 ? null : order.keeper(),
        order == null ? 0 : order.quotaBytes(),
        held(space),
        summary.bytes(),
        share.planned(),
        share.extra(),
        saved(claimant, share),
        Activity.of(summary, tracked == null ? summary.leaseSeconds() : tracked.leaseSeconds()),
        stream.doors(),
        stream.users(),
        why(tracked, claimant, share));
  }

  private long held(SpaceId space) {
    long held = 0;
    for (Observed<ServerReport> server : seen.servers()) {
      SpaceSizes sizes = server.report().spaceSizes();
      int place = sizes.names().place(space.name());
      held += place < 0 ? 0 : sizes.bytes(place);
    }
    return held;
  }

  private String why(
      @Nullable TrackedStream stream,
      Allocator.@Nullable Claimant claimant,
      Allocator.Share share) {
    if (stream == null) {
      return "not recognised yet, or one of too many: what it reads is in the space of all doors";
    }
    @Nullable DatasetKey dataset = stream.order().dataset();
    return switch (stream.preference()) {
      case PIN -> "pinned by hand";
      case NEVER -> "never to be cached, by hand";
      case AUTO ->
          dataset == null
              ? why(stream, stream.stream().summary(), claimant, share)
              : "reads items of data set " + dataset + ": a job of it, in its chunks";
    };
  }

  private String why(
      TrackedStream stream,
      StreamSummary summary,
      Allocator.@Nullable Claimant claimant,
      Allocator.Share share) {
    if (stream.activity() == TrackedStream.Activity.LAPSED) {
      return String.format(
          Locale.ROOT,
          "not read for %.0f s, its lease was %.0f s: its bytes are free for others",
          summary.idleSeconds(),
          stream.leaseSeconds());
    }
    if (stream.activity() == TrackedStream.Activity.QUIET) {
      return String.format(
          Locale.ROOT, "not read for %.0f s: keeps what nobody else needs", summary.idleSeconds());
    }
    if (stream.order().pattern() == AccessPattern.SEQUENTIAL) {
      return summary.followBytes() == 0
          ? "read once and in order: read ahead in doors' memory, never inserted"
          : "read in order by readers that follow each other: kept from one to the next";
    }
    if (claimant == null) {
      return "no bytes of it are known yet";
    }
    String given =
        claimant.measured()
            ? worth.apply(claimant, share)
            : NOT_MEASURED + "its part of what is left";
    return given + lent(stream.order().key());
  }

  /** Tells how many bytes are lent to or by a stream; nothing for none. */
  private String lent(String key) {
    @Nullable StreamOrder order = plan.streams().get(key);
    long more = order == null ? 0 : order.roomBytes() - order.quotaBytes();
    if (more == 0) {
      return "";
    }
    String words =
        more > 0
            ? "; uses %.0f MB more that others do not fill yet"
            : "; others use %.0f MB of it until it fills them";
    return String.format(Locale.ROOT, words, Math.abs(more) / BYTES_PER_MEGABYTE);
  }
}
