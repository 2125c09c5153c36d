package io.quiver.cli.command;

import io.quiver.cli.cluster.ClusterState;
import io.quiver.cli.cluster.ClusterState.Occupancy;
import io.quiver.cli.cluster.ClusterState.ServerState;
import io.quiver.cli.cluster.ClusterState.SpaceState;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import io.quiver.report.TimeSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The state of the servers and spaces as tables for people. */
final class StateTables {
  private static final String NOTHING = "–";

  private StateTables() {}

  static List<String> lines(ClusterState state, Paint paint) {
    List<String> lines = new ArrayList<>(servers(state, paint));
    lines.add("");
    lines.addAll(spaces(state.spaces(), paint));
    trouble(state.totals()).forEach(line -> lines.add(paint.bad(line)));
    return lines;
  }

  private static List<String> servers(ClusterState state, Paint paint) {
    Table table =
        new Table(
            "server",
            "capacity",
            "used",
            "full",
            "blobs",
            "hits",
            "misses",
            "hit ratio",
            "served",
            "from memory",
            "up");
    for (ServerState server : state.servers()) {
      row(
          table,
          server.uri().toString(),
          server.usage(),
          TimeSpan.show(server.uptimeMs() / 1000.0));
    }
    if (state.servers().size() > 1) {
      row(table, "total", state.totals(), "");
    }
    return table.lines(paint);
  }

  private static void row(Table table, String name, Occupancy usage, String uptime) {
    long reads = usage.warmReads() + usage.coldReads();
    table.row(
        name,
        ByteSize.show(usage.capacityBytes()),
        ByteSize.show(usage.usedBytes()),
        percent(ratio(usage.usedBytes(), usage.capacityBytes())),
        count(usage.blobs()),
        count(usage.hits()),
        count(usage.misses()),
        percent(usage.hitRatio()),
        ByteSize.show(usage.hitBytes()),
        percent(ratio(usage.warmReads(), reads)),
        uptime);
  }

  static List<String> spaces(List<SpaceState> spaces, Paint paint) {
    Table table = new Table("space", "blobs", "bytes", "limit");
    for (SpaceState space : spaces) {
      Long limit = space.limitBytes();
      table.row(
          space.space(),
          count(space.blobs()),
          ByteSize.show(space.chargedBytes()),
          limit == null ? NOTHING : ByteSize.show(limit));
    }
    return spaces.isEmpty() ? List.of("no spaces yet") : table.lines(paint);
  }

  private static List<String> trouble(Occupancy usage) {
    List<String> lines = new ArrayList<>();
    if (usage.corruptBlobs() > 0) {
      lines.add(count(usage.corruptBlobs()) + " damaged blobs were found and dropped");
    }
    if (usage.failures() > 0) {
      lines.add(count(usage.failures()) + " operations were refused by the disks; see the log");
    }
    return lines;
  }

  private static @Nullable Double ratio(long part, long whole) {
    return whole == 0 ? null : (double) part / whole;
  }

  private static String percent(@Nullable Double ratio) {
    return ratio == null ? NOTHING : String.format(Locale.ROOT, "%.1f %%", 100 * ratio);
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
