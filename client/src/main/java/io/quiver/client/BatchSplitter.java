package io.quiver.client;

import io.quiver.client.transport.ServerLink;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.placement.SlotTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Splits batches into one group of indexes for each owning server. */
final class BatchSplitter {
  private final SlotTable table;
  // In the order of the table's members.
  private final List<ServerLink> links;

  BatchSplitter(Map<ServerAddress, ServerLink> servers) {
    Map<String, ServerLink> byId = new HashMap<>();
    servers.forEach((server, link) -> byId.put(server.member().id(), link));
    table = SlotTable.of(servers.keySet().stream().map(ServerAddress::member).toList());
    links = table.members().stream().map(member -> byId.get(member.id())).toList();
  }

  /** The indexes of a batch that belong to one server, in order. */
  static final class Group {
    private final ServerLink link;
    private final int[] places;

    Group(ServerLink link, int[] places) {
      this.link = link;
      this.places = places;
    }

    ServerLink link() {
      return link;
    }

    int size() {
      return places.length;
    }

    /** Returns the index in the batch of the group's own index {@code index}. */
    int place(int index) {
      return places[index];
    }

    /** Returns the group's own rows of a batch. */
    <T> List<T> select(List<T> batch) {
      return Arrays.stream(places).mapToObj(batch::get).toList();
    }

    /** Returns the part of this group from one of its own indexes up to another. */
    Group range(int from, int to) {
      return new Group(link, Arrays.copyOfRange(places, from, to));
    }
  }

  /** Splits these indexes of a batch by owner, into groups no longer than {@code most}. */
  List<Group> split(int[] places, IntFunction<ContentHash> hashAt, int most) {
    int[] owners = new int[places.length];
    int[] counts = new int[links.size()];
    for (int i = 0; i < places.length; i++) {
      owners[i] = table.owner(hashAt.apply(places[i]));
      counts[owners[i]]++;
    }
    List<Group> groups = new ArrayList<>();
    for (int owner = 0; owner < counts.length; owner++) {
      if (counts[owner] > 0) {
        int[] own = select(places, owners, owner, counts[owner]);
        cut(new Group(links.get(owner), own), most, groups);
      }
    }
    return groups;
  }

  private static int[] select(int[] places, int[] owners, int owner, int count) {
    int[] selected = new int[count];
    int at = 0;
    for (int i = 0; i < places.length; i++) {
      if (owners[i] == owner) {
        selected[at++] = places[i];
      }
    }
    return selected;
  }

  private static void cut(Group whole, int most, List<Group> groups) {
    for (int from = 0; from < whole.size(); from += most) {
      groups.add(whole.range(from, Math.min(whole.size(), from + most)));
    }
  }
}
