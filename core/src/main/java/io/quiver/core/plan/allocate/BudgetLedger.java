package io.quiver.core.plan.allocate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps account of what is left of the budget and of each payer's quota. */
final class BudgetLedger {
  private final Map<String, Long> payers;
  private long left;

  BudgetLedger(CacheBudget budget) {
    this.left = budget.bytes();
    this.payers = new HashMap<>(budget.quotas());
  }

  /** Returns true if these shares fit. */
  static boolean fits(List<Demand> demands, long[] shares, CacheBudget budget) {
    BudgetLedger ledger = new BudgetLedger(budget);
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > ledger.left(demands.get(i))) {
        return false;
      }
      ledger.take(demands.get(i), shares[i]);
    }
    return true;
  }

  /** Returns how many bytes more a data set could have. */
  long left(Demand demand) {
    return Math.min(left, payers.getOrDefault(demand.payer(), Long.MAX_VALUE));
  }

  void take(Demand demand, long bytes) {
    left -= bytes;
    payers.computeIfPresent(demand.payer(), (payer, quota) -> quota - bytes);
  }

  /** Returns the bytes that are left of the whole budget. */
  CacheBudget rest() {
    Map<String, Long> quotas = new HashMap<>();
    payers.forEach((payer, quota) -> quotas.put(payer, Math.max(quota, 0)));
    return new CacheBudget(left, quotas);
  }
}
