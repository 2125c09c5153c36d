package io.quiver.core.ledger;

import io.quiver.core.order.SamplerKind;
import java.util.Locale;

/**
 * The order in which a job read, and so what its ledgers prove: every item exactly once per epoch,
 * or the entries of a known list, repeats included.
 */
public enum LedgerOrder {
  /** Every item once, drawn among what is cached. */
  SUBSTITUTE(1),
  /** Every item once, by Quiver's Algorithm 1. */
  PAPER(2),
  /** Every item once, in one seeded shuffle. */
  STRICT(3),
  /** The entries of a list. */
  LIST(4);

  private final int code;

  LedgerOrder(int code) {
    this.code = code;
  }

  /** Returns the order of a job with this sampler. */
  public static LedgerOrder of(SamplerKind sampler) {
    return switch (sampler) {
      case SUBSTITUTE -> SUBSTITUTE;
      case PAPER -> PAPER;
      case STRICT -> STRICT;
    };
  }

  static LedgerOrder ofCode(int code) {
    for (LedgerOrder order : values()) {
      if (order.code == code) {
        return order;
      }
    }
    throw new LedgerFormatException(32, "unknown order " + code);
  }

  /** Returns the byte that stands for this order in a ledger. */
  int code() {
    return code;
  }

  /** Returns the name that commands and documents use. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns what a ledger proves: {@code epoch} or {@code list}. */
  public String kind() {
    return this == LIST ? "list" : "epoch";
  }
}
