package io.quiver.simulator.cluster;

import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.ServerPlan;
import java.util.List;
import java.util.Map;

/** Finds the server that owns a slot, for clients that know the members of a plan. */
public final class SlotOwners {
  private final List<String> names;
  private final short[] servers;

  private SlotOwners(List<ClusterMember> members, short[] servers) {
    // A copy of the copy is the same list, which is equal to itself at once.
    this.names = List.copyOf(members.stream().map(ClusterMember::name).toList());
    this.servers = servers;
  }

  /** Returns the names of the servers among which the slots are divided. */
  public List<String> names() {
    return names;
  }

  /** Returns true if there is no server at all. */
  boolean isEmpty() {
    return servers.length == 0;
  }

  /** Returns the number of the server that owns a slot. */
  int server(int slot) {
    return servers[slot];
  }

  /** Returns the owners of these members, through the real slot table. */
  static SlotOwners of(List<ClusterMember> members, Map<String, SimulatedServer> servers) {
    if (members.isEmpty()) {
      return new SlotOwners(members, new short[0]);
    }
    SlotTable table = ServerPlan.slots(members);
    short[] numbers = new short[table.members().size()];
    for (int i = 0; i < numbers.length; i++) {
      SimulatedServer server = servers.get(table.members().get(i).id());
      if (server == null) {
        throw new IllegalStateException("a plan names a server that never was: " + members);
      }
      numbers[i] = (short) server.index();
    }
    short[] owners = new short[SlotTable.SLOTS];
    for (int slot = 0; slot < owners.length; slot++) {
      owners[slot] = numbers[table.owner(slot)];
    }
    return new SlotOwners(members, owners);
  }
}
