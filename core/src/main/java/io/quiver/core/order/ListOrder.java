package io.quiver.core.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Draws the entries of a known list, repeats included, each exactly as often as it stands there.
 *
 * <p>Ranks share the list: of the entries not yet delivered when the order is made, rank r of W
 * takes those numbered r, r + W, r + 2W and so on. So the ranks together read the list from front
 * to back, never overlap, and go on after an interruption with any number of ranks. Padding repeats
 * the list from its beginning, as PyTorch's {@code DistributedSampler} does.
 *
 * <p>Without look-ahead a draw is exactly the rank's next entries. With a look-ahead of n, a draw
 * names its next entries and the n after them as candidates, of which those in the cache may come
 * first. An entry is passed over at most once: it becomes <em>due</em>, and the draw made after
 * that demands it. An item that is named twice in one draw is a candidate once; its repeats are
 * fetched with the batch, or wait if they are only looked ahead at.
 */
public final class ListOrder implements BatchOrder {
  private final OrderSetup setup;
  private final int epoch;
  private final ItemList list;
  private final int lookAhead;
  private final ItemBits delivered;
  private final RankSteps steps;
  private final int[] own;
  private final int paddingItem;
  private final NavigableSet<Integer> due = new TreeSet<>();
  private final NavigableSet<Integer> returned = new TreeSet<>();
  private final IdentityHashMap<Draw, Places> out = new IdentityHashMap<>();
  private int next;
  private int @Nullable [] perChunk;

  /** The places of the list that a draw took. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Places(int[] candidates, int[] fetch) {}

  private ListOrder(OrderSetup setup, ListState state, int lookAhead) {
    state.requireFits(setup);
    if (setup.homogeneous()) {
      throw new IllegalArgumentException("a list cannot be read in homogeneous batches");
    }
    if (lookAhead < 0) {
      throw new IllegalArgumentException("a look-ahead of " + lookAhead + " entries");
    }
    this.setup = setup;
    this.epoch = state.epoch();
    this.list = state.list();
    this.lookAhead = lookAhead;
    this.delivered = state.delivered();
    int remaining = list.size() - delivered.count();
    this.steps = new RankSteps(setup, remaining);
    this.own = new int[steps.unpromised()];
    this.paddingItem = deal(steps.padding() > 0 ? RankSteps.paddingPlace(setup, remaining) : -1);
  }

  /**
   * Begins an epoch.
   *
   * @param lookAhead how many entries beyond a batch may come before it where they are resident; 0
   *     for the order of the list
   */
  public static ListOrder begin(OrderSetup setup, int epoch, ItemList list, int lookAhead) {
    return new ListOrder(setup, ListState.beginning(setup.seed(), epoch, list), lookAhead);
  }

  /**
   * Resumes an epoch: the rest of its list is divided anew among the ranks.
   *
   * @param state what all ranks together had delivered
   */
  public static ListOrder resume(OrderSetup setup, ListState state, int lookAhead) {
    return new ListOrder(setup, state, lookAhead);
  }

  /** Deals what is left to the ranks; returns the item at a place of what is left. */
  private int deal(int paddingPlace) {
    int item = -1;
    int dealt = 0;
    int mine = 0;
    for (int place = 0; place < list.size(); place++) {
      if (delivered.get(place)) {
        continue;
      }
      if (dealt % setup.ranks() == setup.rank() && mine < own.length) {
        own[mine++] = place;
      }
      if (dealt == paddingPlace) {
        item = list.at(place);
      }
      dealt++;
    }
    return item;
  }

  @Override
  public Optional<Draw> draw(Residency residency, RingRole ringRole) {
    int size = steps.next();
    int padding = steps.paddingIn(size);
    if (size == 0 || size - padding > free()) {
      return Optional.empty();
    }
    List<Integer> fetch = new ArrayList<>();
    List<Integer> candidates = new ArrayList<>();
    while (fetch.size() < size - padding && !due.isEmpty()) {
      fetch.add(due.removeFirst());
    }
    int open = size - padding - fetch.size();
    if (lookAhead == 0) {
      for (int i = 0; i < open; i++) {
        fetch.add(nextPlace());
      }
    } else if (open > 0) {
      chooseCandidates(open, candidates, fetch);
    }
    int want = size - padding - fetch.size();
    Places places = new Places(toArray(candidates), toArray(fetch));
    int[] fetched = Arrays.copyOf(itemsAt(places.fetch()), fetch.size() + padding);
    Arrays.fill(fetched, fetch.size(), fetched.length, paddingItem);
    Draw draw = Draw.of(itemsAt(places.candidates()), want, fetched, padding);
    count(draw.candidates(), draw.candidates().length, -1);
    count(fetched, fetch.size(), -1);
    steps.drawn(draw);
    out.put(draw, places);
    return Optional.of(draw);
  }

  /**
   * Returns the places of the entries that a draw fetches, in order and without padding; the draw
   * must be out.
   */
  public int[] places(Draw draw) {
    Places places = out.get(draw);
    if (places == null) {
      throw new IllegalArgumentException("this draw was not out, or was settled before");
    }
    return places.fetch().clone();
  }

  /** Takes the batch's next entries, repeats among them as fetches, and looks ahead after them. */
  private void chooseCandidates(int open, List<Integer> candidates, List<Integer> fetch) {
    Set<Integer> named = new HashSet<>();
    fetch.forEach(place -> named.add(list.at(place)));
    for (int i = 0; i < open; i++) {
      int place = nextPlace();
      (named.add(list.at(place)) ? candidates : fetch).add(place);
    }
    List<Integer> waiting = new ArrayList<>();
    for (int i = Math.min(lookAhead, free() - due.size()); i > 0 && !candidates.isEmpty(); i--) {
      int place = nextPlace();
      (named.add(list.at(place)) ? candidates : waiting).add(place);
    }
    returned.addAll(waiting);
  }

  /** Takes the first place that is neither due, out nor delivered. */
  private int nextPlace() {
    return returned.isEmpty() ? own[next++] : returned.removeFirst();
  }

  private int free() {
    return due.size() + returned.size() + own.length - next;
  }

  @Override
  public void settle(Draw draw, int[] deliveredItems) {
    Places places = out.get(draw);
    if (places == null) {
      throw new IllegalArgumentException("this draw was not out, or was settled before");
    }
    if (deliveredItems.length > draw.size()) {
      throw new IllegalArgumentException(
          deliveredItems.length + " items delivered for a batch of " + draw.size());
    }
    int counted = markDelivered(draw, places, deliveredItems);
    out.remove(draw);
    int needed = draw.want();
    for (int i = 0; i < places.candidates().length; i++) {
      needed = delivered.get(places.candidates()[i]) ? Math.max(needed, i + 1) : needed;
    }
    for (int i = 0; i < places.candidates().length; i++) {
      giveBack(places.candidates()[i], i < needed ? due : returned);
    }
    for (int place : places.fetch()) {
      giveBack(place, due);
    }
    steps.settled(draw, counted, deliveredItems.length - counted);
  }

  /**
   * Marks the places that were delivered, those of one item from the front of the list on; what
   * comes on top of them is padding. Nothing changes if an item is refused.
   *
   * @return how many entries were delivered
   */
  private int markDelivered(Draw draw, Places places, int[] deliveredItems) {
    long[] entries = new long[places.candidates().length + places.fetch().length];
    int at = 0;
    for (int[] part : List.of(places.candidates(), places.fetch())) {
      for (int place : part) {
        entries[at++] = (long) list.at(place) << 32 | place;
      }
    }
    Arrays.sort(entries);
    int[] given = deliveredItems.clone();
    Arrays.sort(given);
    int[] marked = new int[given.length];
    int counted = 0;
    int padding = draw.size() - draw.promised();
    int entry = 0;
    for (int item : given) {
      while (entry < entries.length && entries[entry] >> 32 < item) {
        entry++;
      }
      if (entry < entries.length && entries[entry] >> 32 == item) {
        marked[counted++] = (int) entries[entry++];
      } else if (item != paddingItem || padding-- <= 0) {
        throw new IllegalArgumentException(
            "item " + item + " was not out with this draw, or is delivered too often");
      }
    }
    for (int i = 0; i < counted; i++) {
      delivered.set(marked[i]);
    }
    return counted;
  }

  private void giveBack(int place, NavigableSet<Integer> where) {
    if (!delivered.get(place)) {
      where.add(place);
      count(new int[] {list.at(place)}, 1, 1);
    }
  }

  @Override
  public ListState state() {
    return ListState.of(setup.seed(), epoch, list, delivered);
  }

  @Override
  public boolean finished() {
    return steps.finished();
  }

  @Override
  public int available() {
    return Math.min(free(), steps.unpromised());
  }

  /** Returns the entries of a chunk that can be drawn, counted by one walk when first asked for. */
  @Override
  public int available(int chunk) {
    if (perChunk == null) {
      perChunk = new int[setup.chunks()];
      int[] rest = upcoming(Integer.MAX_VALUE);
      count(rest, rest.length, 1);
    }
    return perChunk[chunk];
  }

  private void count(int[] items, int count, int change) {
    if (perChunk != null) {
      ChunkLayout layout = setup.layout();
      for (int i = 0; i < count; i++) {
        perChunk[layout.chunkOf(items[i])] += change;
      }
    }
  }

  /** Returns the next items in the order of the list, those that are due first. */
  @Override
  public int[] upcoming(int count) {
    int[] items = new int[Math.clamp(count, 0, free())];
    int at = 0;
    for (NavigableSet<Integer> places : List.of(due, returned)) {
      for (int place : places) {
        if (at < items.length) {
          items[at++] = list.at(place);
        }
      }
    }
    for (int i = next; at < items.length; i++) {
      items[at++] = list.at(own[i]);
    }
    return items;
  }

  @Override
  public int epoch() {
    return epoch;
  }

  private int[] itemsAt(int[] places) {
    return Arrays.stream(places).map(list::at).toArray();
  }

  private static int[] toArray(List<Integer> places) {
    return places.stream().mapToInt(Integer::intValue).toArray();
  }
}
