package io.quiver.core.benefit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is left while room is given out: of all of it, and of what each payer may have. */
final class RoomLedger {
  private final Map<String, Long> payers;
  private long left;

  RoomLedger(Room room) {
    this.left = room.bytes();
    this.payers = new HashMap<>(room.quotas());
  }

  /** Whether shares as they are would fit. */
  static boolean fits(List<DatasetDemand> demands, long[] shares, Room room) {
    RoomLedger ledger = new RoomLedger(room);
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > ledger.left(demands.get(i))) {
        return false;
      }
      ledger.take(demands.get(i), shares[i]);
    }
    return true;
  }

  /** How much more a data set could have. */
  long left(DatasetDemand demand) {
    return Math.min(left, payers.getOrDefault(demand.payer(), Long.MAX_VALUE));
  }

  void take(DatasetDemand demand, long bytes) {
    left -= bytes;
    payers.computeIfPresent(demand.payer(), (payer, quota) -> quota - bytes);
  }

  /** What is left of everything. */
  Room rest() {
    Map<String, Long> quotas = new HashMap<>();
    payers.forEach((payer, quota) -> quotas.put(payer, Math.max(quota, 0)));
    return new Room(left, quotas);
  }
}
