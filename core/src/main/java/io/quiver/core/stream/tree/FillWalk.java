package io.quiver.core.stream.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks over all blocks below a directory, or of a file. Of a directory it knows what a listing
 * shows; without one, only the files of several blocks and the directories that programs read.
 */
final class FillWalk {
  private static final int MOST_LEVELS = 32;

  /** Names that are looked at for one block at most. */
  private static final int MOST_STEPS = 1024;

  private final StreamTree tree;
  private final Listings listings;
  private final BlockSizes sizes;
  private final Deque<Place> places = new ArrayDeque<>();

  // The file that is walked over now.
  private String file = "";
  private long fileBytes;
  private ScatteredOrder blocks = new ScatteredOrder(0);
  private int walked;

  /** A block to be read, with its length. */
  record Block(String path, int number, long bytes) {}

  /** A directory with the number of children that were walked over. */
  private static final class Place {
    final String directory;
    final @Nullable NameList list;
    final List<StreamNode> streams;
    final ScatteredOrder order;
    int walked;

    Place(String directory, @Nullable NameList list, List<StreamNode> streams) {
      this.directory = directory;
      this.list = list;
      this.streams = streams;
      this.order = new ScatteredOrder(list == null ? streams.size() : list.size());
    }
  }

  /** Begins at a stream. */
  FillWalk(StreamNode stream, StreamTree tree, Listings listings, BlockSizes sizes) {
    this.tree = tree;
    this.listings = listings;
    this.sizes = sizes;
    if (stream.isFile) {
      open(stream.path(), Long.MAX_VALUE, (int) stream.numbers.items());
    } else {
      enter(stream.path());
    }
  }

  private void open(String path, long bytes, int count) {
    file = path;
    fileBytes = bytes;
    blocks = new ScatteredOrder(count);
    walked = 0;
  }

  private void enter(String directory) {
    if (places.size() == MOST_LEVELS) {
      return;
    }
    @Nullable NameList list = listings.of(directory);
    if (list != null && list.isComplete()) {
      places.push(new Place(directory, list, List.of()));
      return;
    }
    @Nullable StreamNode node = tree.find(directory);
    if (node != null) {
      places.push(new Place(directory, null, children(node)));
    }
  }

  private static List<StreamNode> children(StreamNode node) {
    List<StreamNode> children = new ArrayList<>();
    for (@Nullable StreamNode child = node.links.firstChild();
        child != null;
        child = child.links.next()) {
      children.add(child);
    }
    return children;
  }

  /** Returns the next block; null if there is none. */
  @Nullable Block next() {
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      if (walked < blocks.size()) {
        int block = blocks.place(walked++);
        return new Block(file, block, sizes.length(fileBytes, block));
      }
      if (places.isEmpty()) {
        return null;
      }
      step(places.element());
    }
    return null;
  }

  /** Goes over to the next child of a directory. */
  private void step(Place at) {
    @Nullable NameList list = at.list;
    if (at.walked >= at.order.size()) {
      places.pop();
      return;
    }
    int child = at.order.place(at.walked++);
    if (list == null) {
      StreamNode stream = at.streams.get(child);
      String path = PathNames.joined(at.directory, stream.label());
      visit(path, !stream.isFile, Long.MAX_VALUE, (int) stream.numbers.items());
    } else if (child < list.size()) {
      long bytes = list.bytes(child);
      visit(
          PathNames.joined(at.directory, list.name(child)),
          list.isDirectory(child),
          bytes,
          bytes == 0 ? 0 : sizes.blocks(bytes));
    }
  }

  private void visit(String path, boolean directory, long bytes, int count) {
    if (directory) {
      enter(path);
    } else {
      open(path, bytes, count);
    }
  }
}
