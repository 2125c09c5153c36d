package io.quiver.core.placement;

import io.quiver.core.hash.ContentHash;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Assigns each of 65,536 slots to a member by weighted rendezvous hashing: every member draws for
 * every slot and the best draw wins. So a member that leaves gives up only its own slots, a member
 * that joins takes only what it wins, and the order in which members are listed does not matter. A
 * blob's slot is the first 16 bits of its hash; finding its owner is one array read. {@code
 * test-vectors/placement} has the exact definition and tables to compare with.
 */
public final class SlotTable {
  /** Number of slots. */
  public static final int SLOTS = 1 << 16;

  /** Most members; beyond this slots are too few to share evenly. */
  public static final int MAX_MEMBERS = 4096;

  private final List<Member> members;
  private final short[] owners;

  private SlotTable(List<Member> members, short[] owners) {
    this.members = members;
    this.owners = owners;
  }

  /** Returns the table of these members, in any order. */
  public static SlotTable of(List<Member> members) {
    List<Member> sorted = members.stream().sorted(Comparator.comparing(Member::id)).toList();
    requireMembers(sorted);
    return new SlotTable(sorted, new Auction(sorted).owners());
  }

  private static void requireMembers(List<Member> sorted) {
    if (sorted.isEmpty() || sorted.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "a slot table has 1 to " + MAX_MEMBERS + " members, not " + sorted.size());
    }
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).id().equals(sorted.get(i - 1).id())) {
        throw new IllegalArgumentException("member " + sorted.get(i).id() + " is listed twice");
      }
    }
  }

  /** Returns the members, sorted by name. */
  public List<Member> members() {
    return members;
  }

  /** Returns the place in {@link #members()} of a member, or -1. */
  int place(String id) {
    for (int place = 0; place < members.size(); place++) {
      if (members.get(place).id().equals(id)) {
        return place;
      }
    }
    return -1;
  }

  /** Returns the place in {@link #members()} of the member that owns a slot. */
  public int owner(int slot) {
    return owners[slot];
  }

  /** Returns the place in {@link #members()} of the member that owns a blob. */
  public int owner(ContentHash hash) {
    return owners[hash.slot()];
  }

  /** Returns how many slots each member owns, in the order of {@link #members()}. */
  public int[] shares() {
    int[] shares = new int[members.size()];
    for (short owner : owners) {
      shares[owner]++;
    }
    return shares;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SlotTable that
        && members.equals(that.members)
        && Arrays.equals(owners, that.owners);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  @Override
  public String toString() {
    return "SlotTable" + members;
  }
}
