package io.quiver.core.placement;

import io.quiver.core.hash.ContentHash;
import java.util.BitSet;

/**
 * The slots of one server. When others join, a server gives up the blobs of slots that it does not
 * own any more: nobody asks it for them, and the plan counts on their bytes.
 */
public final class OwnedSlots {
  /** All slots: the lot of a server before it knows of others. */
  public static final OwnedSlots ALL = all();

  private final BitSet slots;

  private OwnedSlots(BitSet slots) {
    this.slots = slots;
  }

  /** Returns the slots of a member; all of them if the table does not have the member. */
  public static OwnedSlots of(SlotTable table, String id) {
    int place = table.place(id);
    if (place < 0) {
      return ALL;
    }
    BitSet slots = new BitSet(SlotTable.SLOTS);
    for (int slot = 0; slot < SlotTable.SLOTS; slot++) {
      if (table.owner(slot) == place) {
        slots.set(slot);
      }
    }
    return new OwnedSlots(slots);
  }

  private static OwnedSlots all() {
    BitSet slots = new BitSet(SlotTable.SLOTS);
    slots.set(0, SlotTable.SLOTS);
    return new OwnedSlots(slots);
  }

  /** Returns true if a slot is among them. */
  public boolean has(int slot) {
    return slots.get(slot);
  }

  /** Returns true if the slot of a blob is among them. */
  public boolean has(ContentHash hash) {
    return slots.get(hash.slot());
  }

  /** Returns the share of these slots that the others have as well. */
  public double shareIn(OwnedSlots others) {
    BitSet both = (BitSet) slots.clone();
    both.and(others.slots);
    return slots.isEmpty() ? 1 : (double) both.cardinality() / slots.cardinality();
  }
}
