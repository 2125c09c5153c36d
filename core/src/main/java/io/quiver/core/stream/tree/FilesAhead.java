package io.quiver.core.stream.tree;

import org.jspecify.annotations.Nullable;

/** Advises the files that come after the one that is read, in its directory and those after it. */
final class FilesAhead {
  private final AheadAdvice advice;
  private final BlockSizes sizes;
  private final DirectoriesAhead directories;

  FilesAhead(AheadAdvice advice, BlockSizes sizes, DirectoriesAhead directories) {
    this.advice = advice;
    this.sizes = sizes;
    this.directories = directories;
  }

  /** Advises the next files after one of a single block. */
  void next(Way way, StreamNode stream, int depth) {
    int level = way.size() - 1;
    StreamNode directory = way.last();
    int place = directory.order().place(way.slot(level));
    if (place < 0) {
      return;
    }
    ForwardRuns runs = directory.ahead().runs();
    if (runs.note(place, depth)) {
      int to = runs.to(depth);
      String above = directory.path();
      for (int next = runs.from(); next <= to; next += runs.stride()) {
        if (!runs.isRead(next) && !first(way, stream, above, next)) {
          return;
        }
        runs.reached(next);
      }
    }
    long beyond = (long) place + depth - (directory.order().children() - 1);
    if (directory.order().isListed() && beyond > 0 && stream != directory) {
      directories.after(way, level, stream, (int) Math.min(depth, beyond));
    }
  }

  /** Advises the first block of a file by its place; returns false if there is no more. */
  private boolean first(Way way, StreamNode stream, String above, int place) {
    StreamNode directory = way.last();
    String name = directory.order().nameAt(place);
    if (name.isEmpty()) {
      return false;
    }
    @Nullable NameList list = directory.order().listing();
    return (list != null && list.isDirectory(place))
        || blocks(way, way.size() - 1, stream, PathNames.joined(above, name), name, 1, 1) >= 0;
  }

  /** Advises the blocks of the next files after one of several blocks. */
  void after(Way way, StreamNode stream, int items) {
    int level = way.size() - 2;
    StreamNode directory = way.node(level);
    int place = directory.order().place(way.slot(level));
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
      int most = list == null ? 1 : sizes.blocks(list.bytes(next));
      int advised = blocks(way, level, stream, PathNames.joined(above, name), name, left, most);
      if (advised < 0) {
        return;
      }
      left -= advised;
    }
    if (left > 0 && directory.order().isListed() && stream != directory) {
      directories.after(way, level, stream, left);
    }
  }

  /** Advises the first blocks of a file; returns how many, or -1 if no more is allowed. */
  private int blocks(
      Way way, int level, StreamNode stream, String path, String name, int most, int blocks) {
    @Nullable SiblingReads above = level == 0 ? null : way.node(level - 1).knownSiblings();
    @Nullable SiblingReads beside = blocks == 1 ? null : way.node(level).knownSiblings();
    String relative = above == null ? name : relative(way.node(level), name);
    int advised = 0;
    for (int block = 0; block < Math.min(most, blocks); block++) {
      boolean wanted =
          advice.isWanted(above, relative, block) && advice.isWanted(beside, "", block);
      if (wanted && !advice.advise(stream, path, block, way.node(level).ahead().runs().size())) {
        return -1;
      }
      advised++;
    }
    return advised;
  }

  /** Returns a name as siblings of a directory know it: below the first name of the label. */
  private static String relative(StreamNode directory, String name) {
    String label = directory.label();
    int slash = label.indexOf('/');
    return slash < 0 ? name : label.substring(slash + 1) + "/" + name;
  }
}
