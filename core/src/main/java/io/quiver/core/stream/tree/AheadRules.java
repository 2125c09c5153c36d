package io.quiver.core.stream.tree;

import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.StreamRules;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is read ahead of streams that go forward (IGTCache, §3.3): the next blocks of a
 * file, the next files of a directory, the first files of the next directory; or of the next
 * directories what was read in those before.
 */
final class AheadRules {
  private final StreamRules rules;
  private final AheadAdvice advice;
  private final FilesAhead files;
  private final ChildrenAhead children;

  AheadRules(StreamRules rules, Listings listings, AdviceBook book, BlockSizes sizes) {
    this.rules = rules;
    this.advice = new AheadAdvice(rules, book);
    this.files = new FilesAhead(advice, sizes, new DirectoriesAhead(advice, listings, sizes));
    this.children = new ChildrenAhead(rules, advice, listings);
  }

  /** Advises what follows a read, if its stream goes forward. */
  void follow(Way way, BlockAccess access, boolean stepped, long now) {
    if (rules.mostDepth() == 0) {
      return;
    }
    advice.at(now);
    for (int level = way.size() - 1; level >= 0; level--) {
      if (way.node(level).decision.isUnordered()) {
        // Streams above know less of the order: unlisted names seem to come one after the other.
        return;
      }
      switch (way.node(level).decision.forward()) {
        case ITEMS -> {
          items(way, way.node(level), access);
          return;
        }
        case CHILDREN -> {
          if (stepped && level < way.size() - 1) {
            children.advise(way, level);
          }
          return;
        }
        case NONE -> {}
      }
    }
  }

  /** Advises the items that follow in the order of a stream. */
  private void items(Way way, StreamNode stream, BlockAccess access) {
    StreamNode last = way.last();
    int depth = AheadAdvice.depth(stream);
    if (!last.isFile) {
      files.next(way, stream, depth);
      return;
    }
    ForwardRuns runs = last.ahead().runs();
    if (runs.note(access.block(), depth)) {
      blocks(way, stream, runs, Math.min(runs.to(depth), access.blocks() - 1));
    }
    int beyond = access.block() + depth - (access.blocks() - 1);
    if (beyond > 0 && stream != last) {
      files.after(way, stream, beyond);
    }
  }

  private void blocks(Way way, StreamNode stream, ForwardRuns runs, int to) {
    @Nullable SiblingReads beside = way.node(way.size() - 2).knownSiblings();
    for (int block = runs.from(); block <= to; block += runs.stride()) {
      if (advice.isWanted(beside, "", block)
          && !runs.isRead(block)
          && !advice.advise(stream, way.path(), block, runs.size())) {
        return;
      }
      runs.reached(block);
    }
  }
}
