package io.quiver.core.plan.review;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.DoorSpaces;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.Tenant;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.PathPreference;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.SpaceSizes;
import io.quiver.core.plan.review.StreamDiagnosis.Activity;
import io.quiver.core.plan.stream.ObservedStream;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Explains a plan's decisions about the reads of unmodified programs. */
final class StreamReview {
  private static final Activity NO_READS = new Activity(0, 0, 0, 0, 0, 0, 0, 0);

  private final Plan plan;
  private final Observations seen;
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
    this.claimants = claimants;
    this.worth = worth;
  }

  /** Returns every stream, and all reads of no stream as one. */
  List<StreamDiagnosis> streams() {
    List<StreamDiagnosis> all = new ArrayList<>();
    ObservedStream.of(seen.doors(), seen.now()).forEach(each -> all.add(diagnosis(each)));
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
        : "not measured yet: a trial, and what nobody else needs";
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

  private StreamDiagnosis diagnosis(ObservedStream stream) {
    StreamSummary summary = stream.summary();
    SpaceId space = StreamOrder.space(summary.key());
    @Nullable StreamOrder order = plan.streams().get(summary.key());
    Allocator.@Nullable Claimant claimant = claimants.get(StreamOrder.tenant(summary.key()));
    Allocator.Share share = share(claimant);
    return new StreamDiagnosis(
        StreamOrder.tenant(summary.key()).text(),
        summary.label(),
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
        Activity.of(summary),
        stream.doors(),
        stream.users(),
        why(summary, order, claimant, share));
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
      StreamSummary summary,
      @Nullable StreamOrder order,
      Allocator.@Nullable Claimant claimant,
      Allocator.Share share) {
    PathPreference preference = seen.preferences().ofPath(summary.label());
    if (preference.preference() == CachePreference.PIN) {
      return "pinned by hand";
    }
    if (preference.preference() == CachePreference.NEVER) {
      return "never to be cached, by hand";
    }
    if (order == null && summary.recognition().pattern() == AccessPattern.UNKNOWN) {
      return "too few reads to tell how it is read";
    }
    if (claimant == null) {
      return String.format(
          Locale.ROOT,
          "not read for %.0f s, its lease was %.0f s: its bytes are free for others",
          summary.idleSeconds(),
          preference.ttlSeconds().orElse(summary.leaseSeconds()));
    }
    if (summary.idleSeconds() > summary.quietSeconds()) {
      return String.format(
          Locale.ROOT, "not read for %.0f s: keeps what nobody else needs", summary.idleSeconds());
    }
    if (order != null && order.pattern() == AccessPattern.SEQUENTIAL) {
      return summary.followBytes() == 0
          ? "read once and in order: read ahead in doors' memory, never inserted"
          : "read in order by readers that follow each other: kept from one to the next";
    }
    return claimant.measured()
        ? worth.apply(claimant, share)
        : "not measured yet: a trial, and its part of what is left";
  }
}
