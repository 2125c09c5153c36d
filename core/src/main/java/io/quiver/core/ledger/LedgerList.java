package io.quiver.core.ledger;

import io.quiver.core.order.ItemList;
import java.util.Optional;

/**
 * The list that an epoch follows, as a ledger names it. One rank's ledger has the entries; those of
 * the other ranks have the hash only, which shows that they followed the same list.
 *
 * @param epoch the number of the epoch
 * @param size how many entries the list has
 * @param sha256 the list's name, see {@link ItemList#sha256}
 * @param list the list itself, if the ledger has it
 */
public record LedgerList(int epoch, int size, String sha256, Optional<ItemList> list) {
  /** Names a list with its entries. */
  public static LedgerList whole(int epoch, ItemList list) {
    return new LedgerList(epoch, list.size(), list.sha256(), Optional.of(list));
  }

  /** Names a list by its hash alone. */
  public static LedgerList named(int epoch, ItemList list) {
    return new LedgerList(epoch, list.size(), list.sha256(), Optional.empty());
  }
}
