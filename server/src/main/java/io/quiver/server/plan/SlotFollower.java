package io.quiver.server.plan;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.placement.OwnedSlots;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up the blobs of slots that belong to other servers since one of them joined. Clients ask
 * the new owner, and the planner has given the bytes away. Spaces whose keepers evict are left
 * alone: what nobody reads there goes by itself.
 *
 * <p>A client that has not heard of the new server yet still inserts here. Such blobs go with the
 * next plan.
 */
public final class SlotFollower {
  private static final Logger LOG = LoggerFactory.getLogger(SlotFollower.class);

  private final BlobStore store;
  private final String server;
  private List<ClusterMember> members = List.of();
  private volatile OwnedSlots owned = OwnedSlots.ALL;
  private volatile boolean strayed;

  /**
   * Makes one that owns every slot until a plan names the server.
   *
   * @param server the server's own name
   */
  public SlotFollower(BlobStore store, String server) {
    this.store = store;
    this.server = server;
  }

  /** Gives up what a plan assigns to others; takes as long as the disk needs. */
  public synchronized void follow(ServerPlan plan) {
    boolean changed = !plan.members().equals(members) && !plan.members().isEmpty();
    if (changed) {
      members = plan.members();
      owned = OwnedSlots.of(ServerPlan.slots(members), server);
    }
    if (changed || strayed) {
      strayed = false;
      giveUp(plan);
    }
  }

  private void giveUp(ServerPlan plan) {
    OwnedSlots kept = owned;
    Set<SpaceId> fixed =
        plan.spaces().stream()
            .filter(order -> order.keeper() == KeeperKind.FIXED)
            .map(SpaceOrder::name)
            .collect(Collectors.toSet());
    long evicted = store.evict(fixed, slot -> !kept.has(slot));
    if (evicted > 0) {
      LOG.info("{} gave up {} blobs of slots that other servers own", server, evicted);
    }
  }

  /** Notes a blob that was inserted. */
  public void inserted(ContentHash hash) {
    if (!owned.has(hash)) {
      strayed = true;
    }
  }
}
