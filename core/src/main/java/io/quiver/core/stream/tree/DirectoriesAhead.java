package io.quiver.core.stream.tree;

import io.quiver.core.stream.tree.StreamDecision.Forward;
import org.jspecify.annotations.Nullable;

/** Advises the first files of the directories that come after the one that is read. */
final class DirectoriesAhead {
  /** Directories that are crossed for one read. */
  private static final int MOST_CROSSED = 8;

  /** Directories that are entered to find the first file of another one. */
  private static final int MOST_DEEPER = 4;

  private final AheadAdvice advice;
  private final Listings listings;
  private final BlockSizes sizes;

  DirectoriesAhead(AheadAdvice advice, Listings listings, BlockSizes sizes) {
    this.advice = advice;
    this.listings = listings;
    this.sizes = sizes;
  }

  /** Advises so many blocks after the end of a directory of the way. */
  void after(Way way, int level, StreamNode stream, int items) {
    if (level == 0 || way.node(level - 1).decision.forward() == Forward.NONE) {
      return;
    }
    StreamNode parent = way.node(level - 1);
    int place = parent.order().place(way.slot(level - 1));
    String above = parent.path();
    int left = items;
    for (int crossed = 1; place >= 0 && left > 0 && crossed <= MOST_CROSSED; crossed++) {
      String name = parent.order().nameAt(place + crossed);
      if (name.isEmpty()) {
        return;
      }
      left = enter(stream, parent.knownSiblings(), PathNames.joined(above, name), left);
    }
  }

  /** Advises the first blocks below a directory; returns how many are left to be advised. */
  private int enter(
      StreamNode stream, @Nullable SiblingReads siblings, String directory, int items) {
    String inside = directory;
    for (int deeper = 0; deeper < MOST_DEEPER; deeper++) {
      @Nullable NameList list = listings.of(inside);
      if (list == null || !list.isComplete() || list.size() == 0) {
        return items;
      }
      if (!list.isDirectory(0)) {
        return files(stream, siblings, directory, inside, items, list);
      }
      inside = PathNames.joined(inside, list.name(0));
    }
    return items;
  }

  private int files(
      StreamNode stream,
      @Nullable SiblingReads siblings,
      String directory,
      String inside,
      int items,
      NameList list) {
    int left = items;
    for (int i = 0; i < list.size() && i < items && left > 0; i++) {
      if (list.isDirectory(i)) {
        continue;
      }
      String path = PathNames.joined(inside, list.name(i));
      String relative = path.substring(directory.length() + 1);
      for (int block = 0; block < sizes.blocks(list.bytes(i)) && left > 0; block++, left--) {
        if (advice.isWanted(siblings, relative, block) && !advice.advise(stream, path, block, 1)) {
          return 0;
        }
      }
    }
    return left;
  }
}
