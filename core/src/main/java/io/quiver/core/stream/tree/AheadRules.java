package io.quiver.core.stream.tree;

import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.tree.StreamDecision.Forward;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is read ahead of streams that go forward (IGTCache, §3.3): the next blocks of a
 * file, the next files of a directory, the first files of the next directory; or of the next
 * directories what was read in those before.
 */
final class AheadRules {
  /** Directories that are crossed for one read. */
  private static final int MOST_CROSSED = 8;

  /** Directories that are entered to find the first file of another one. */
  private static final int MOST_DEEPER = 4;

  private final StreamRules rules;
  private final Listings listings;
  private final AdviceBook book;
  private final BlockSizes sizes;
  private int nowMillis;

  AheadRules(StreamRules rules, Listings listings, AdviceBook book, BlockSizes sizes) {
    this.rules = rules;
    this.listings = listings;
    this.book = book;
    this.sizes = sizes;
  }

  /** Advises what follows a read, if its stream goes forward. */
  void follow(Way way, BlockAccess access, boolean stepped, long now) {
    if (rules.mostDepth() == 0) {
      return;
    }
    nowMillis = StreamReads.millis(now);
    for (int level = way.size() - 1; level >= 0; level--) {
      switch (way.node(level).decision.forward()) {
        case ITEMS -> {
          items(way, way.node(level), access);
          return;
        }
        case CHILDREN -> {
          if (stepped && level < way.size() - 1) {
            children(way, level);
          }
          return;
        }
        case NONE -> {}
      }
    }
  }

  /** Reads on item by item. */
  private void items(Way way, StreamNode stream, BlockAccess access) {
    StreamNode last = way.last();
    int depth = stream.ahead.depth().depth();
    if (!last.isFile) {
      files(way, way.size() - 1, stream, depth);
      return;
    }
    ForwardRuns runs = last.ahead.runs();
    boolean goesOn = runs.note(access.block(), depth);
    int left = access.block() + depth - (access.blocks() - 1);
    if (goesOn) {
      blocks(way, stream, runs, Math.min(runs.to(depth), access.blocks() - 1));
    }
    if (left > 0 && stream != last && way.size() >= 2) {
      filesAfter(way, way.size() - 2, stream, left);
    }
  }

  private void blocks(Way way, StreamNode stream, ForwardRuns runs, int to) {
    @Nullable SiblingReads siblings =
        way.size() < 2 ? null : way.node(way.size() - 2).ahead.knownSiblings();
    for (int block = runs.from(); block <= to; block += runs.stride()) {
      if (siblings == null || siblings.mayRead("", block, rules.hotShare())) {
        if (!advise(stream, way.path(), block, runs.size())) {
          return;
        }
      }
      runs.reached(block);
    }
  }

  /** Reads on in a directory whose files have one block each. */
  private void files(Way way, int level, StreamNode stream, int depth) {
    StreamNode directory = way.node(level);
    int place =
        directory.order().place(directory.order().slot(way.path(), way.from(level), way.to(level)));
    if (place < 0) {
      return;
    }
    ForwardRuns runs = directory.ahead.runs();
    if (runs.note(place, depth)) {
      int to = runs.to(depth);
      String above = directory.path();
      for (int next = runs.from(); next <= to; next += runs.stride()) {
        if (!file(way, level, stream, above, next)) {
          return;
        }
        runs.reached(next);
      }
    }
    long beyond = (long) place + depth - (directory.order().children() - 1);
    if (directory.order().isListed() && beyond > 0 && stream != directory) {
      nextDirectories(way, level, stream, (int) Math.min(depth, beyond));
    }
  }

  /** Reads the files after the one that is read, block by block until there are enough. */
  private void filesAfter(Way way, int level, StreamNode stream, int items) {
    StreamNode directory = way.node(level);
    int place =
        directory.order().place(directory.order().slot(way.path(), way.from(level), way.to(level)));
    if (place < 0) {
      return;
    }
    String above = directory.path();
    int left = items;
    int next = place + 1;
    for (int tried = 0; left > 0 && tried < items; tried++, next++) {
      String name = directory.order().nameAt(next);
      if (name.isEmpty()) {
        break;
      }
      @Nullable NameList list = directory.order().listing();
      if (list != null && list.isDirectory(next)) {
        continue;
      }
      left -=
          fileBlocks(
              way, level, stream, PathNames.joined(above, name), name, left, blocks(list, next));
    }
    if (left > 0 && directory.order().isListed() && stream != directory) {
      nextDirectories(way, level, stream, left);
    }
  }

  private int blocks(@Nullable NameList list, int place) {
    return list == null ? 1 : sizes.blocks(list.bytes(place));
  }

  /**
   * Advises the first block of a file by its place; returns false if nothing is advised any more.
   */
  private boolean file(Way way, int level, StreamNode stream, String above, int place) {
    StreamNode directory = way.node(level);
    String name = directory.order().nameAt(place);
    if (name.isEmpty()) {
      return false;
    }
    @Nullable NameList list = directory.order().listing();
    return (list != null && list.isDirectory(place))
        || fileBlocks(way, level, stream, PathNames.joined(above, name), name, 1, 1) >= 0;
  }

  /** Advises the first blocks of a file; returns how many, or -1 if no more is allowed. */
  private int fileBlocks(
      Way way, int level, StreamNode stream, String path, String name, int most, int blocks) {
    @Nullable SiblingReads above = level == 0 ? null : way.node(level - 1).ahead.knownSiblings();
    @Nullable SiblingReads beside = way.node(level).ahead.knownSiblings();
    int advised = 0;
    for (int block = 0; block < Math.min(most, blocks); block++) {
      boolean wanted =
          (above == null || above.mayRead(relative(way, level, name), block, rules.hotShare()))
              && (blocks == 1 || beside == null || beside.mayRead("", block, rules.hotShare()));
      if (wanted && !advise(stream, path, block, way.node(level).ahead.runs().size())) {
        return -1;
      }
      advised++;
    }
    return advised;
  }

  /** Returns a name as siblings of a directory know it: below the first name of the label. */
  private static String relative(Way way, int level, String name) {
    String label = way.node(level).label();
    int slash = label.indexOf('/');
    return slash < 0 ? name : label.substring(slash + 1) + "/" + name;
  }

  /** Reads the first files of the directories after one. */
  private void nextDirectories(Way way, int level, StreamNode stream, int items) {
    if (level == 0 || way.node(level - 1).decision.forward() == Forward.NONE) {
      return;
    }
    StreamNode parent = way.node(level - 1);
    int place = parent.order().place(way.node(level).slot());
    @Nullable SiblingReads siblings = parent.ahead.knownSiblings();
    String above = parent.path();
    int left = items;
    for (int crossed = 1; place >= 0 && left > 0 && crossed <= MOST_CROSSED; crossed++) {
      String name = parent.order().nameAt(place + crossed);
      if (name.isEmpty()) {
        return;
      }
      left = firstFiles(stream, siblings, PathNames.joined(above, name), "", left);
    }
  }

  /** Advises the first files of a directory; returns how many are left to be advised. */
  private int firstFiles(
      StreamNode stream,
      @Nullable SiblingReads siblings,
      String directory,
      String relative,
      int items) {
    String inside = directory;
    String below = relative;
    for (int deeper = 0; deeper < MOST_DEEPER; deeper++) {
      @Nullable NameList list = listings.of(inside);
      if (list == null || !list.isComplete() || list.size() == 0) {
        return items;
      }
      if (!list.isDirectory(0)) {
        return firstFiles(stream, siblings, inside, below, items, list);
      }
      below = below.isEmpty() ? list.name(0) : below + "/" + list.name(0);
      inside = PathNames.joined(inside, list.name(0));
    }
    return items;
  }

  private int firstFiles(
      StreamNode stream,
      @Nullable SiblingReads siblings,
      String directory,
      String below,
      int items,
      NameList list) {
    int left = items;
    for (int i = 0; i < list.size() && i < items && left > 0; i++) {
      if (list.isDirectory(i)) {
        continue;
      }
      String name = below.isEmpty() ? list.name(i) : below + "/" + list.name(i);
      for (int block = 0; block < sizes.blocks(list.bytes(i)) && left > 0; block++, left--) {
        boolean wanted = siblings == null || siblings.mayRead(name, block, rules.hotShare());
        if (wanted && !advise(stream, PathNames.joined(directory, list.name(i)), block, 1)) {
          return 0;
        }
      }
    }
    return left;
  }

  /** Reads of the next children what was read of those before. */
  private void children(Way way, int level) {
    StreamNode stream = way.node(level);
    @Nullable SiblingReads siblings = stream.ahead.knownSiblings();
    if (siblings == null) {
      return;
    }
    List<SiblingReads.Unit> hot = siblings.hot(rules.hotShare());
    int place =
        stream.order().place(stream.order().slot(way.path(), way.from(level), way.to(level)));
    if (hot.isEmpty() || place < 0) {
      return;
    }
    int depth = stream.ahead.depth().depth();
    ForwardRuns runs = stream.ahead.runs();
    int children = Math.max(1, depth / hot.size());
    if (!runs.note(place, children)) {
      return;
    }
    int to = runs.to(children);
    String above = stream.path();
    for (int next = runs.from(); next <= to; next += runs.stride()) {
      String name = stream.order().nameAt(next);
      if (name.isEmpty() || !child(stream, PathNames.joined(above, name), hot, runs)) {
        return;
      }
      runs.reached(next);
    }
  }

  private boolean child(
      StreamNode stream, String path, List<SiblingReads.Unit> hot, ForwardRuns runs) {
    @Nullable NameList list = listings.of(path);
    for (SiblingReads.Unit unit : hot) {
      boolean missing =
          list != null
              && list.isComplete()
              && unit.name.indexOf('/') < 0
              && !unit.name.isEmpty()
              && list.find(unit.name, 0, unit.name.length()) < 0;
      String file = unit.name.isEmpty() ? path : PathNames.joined(path, unit.name);
      if (!missing && !advise(stream, file, unit.block, runs.size() * hot.size())) {
        return false;
      }
    }
    return true;
  }

  private boolean advise(StreamNode stream, String path, int block, int runs) {
    if (!stream.ahead.depth().allows(runs)) {
      return false;
    }
    if (book.add(new PrefetchAdvice(path, block, Purpose.AHEAD), stream, nowMillis)) {
      stream.ahead.depth().issued();
    }
    return true;
  }
}
