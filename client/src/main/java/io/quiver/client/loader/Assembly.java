package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch while its items come in, each at its own place. Used by one thread. */
final class Assembly implements AutoCloseable {
  private final int[] items;
  private final @Nullable ByteBuffer[] bytes;
  private final ItemSource[] sources;
  private final List<BlobAnswer> answers = new ArrayList<>();
  private int substituted;
  private boolean finished;

  Assembly(int size) {
    items = new int[size];
    bytes = new ByteBuffer[size];
    sources = new ItemSource[size];
  }

  /** Puts an item where it belongs. */
  void put(int place, int item, ByteBuffer content, ItemSource source) {
    items[place] = item;
    bytes[place] = content;
    sources[place] = source;
  }

  /** Keeps an answer open as long as the batch, or closes it when nothing lies in it. */
  void keep(BlobAnswer answer, boolean needed) {
    if (needed) {
      answers.add(answer);
    } else {
      answer.close();
    }
  }

  void substituted(int count) {
    substituted += count;
  }

  ReadBatch finish(int epoch) {
    ByteBuffer[] all = new ByteBuffer[bytes.length];
    for (int i = 0; i < all.length; i++) {
      ByteBuffer each = bytes[i];
      if (each == null) {
        throw new IllegalStateException(
            "place " + i + " of " + Arrays.toString(items) + " is empty");
      }
      all[i] = each;
    }
    finished = true;
    return new ReadBatch(epoch, items, all, sources, substituted, List.copyOf(answers));
  }

  /** Gives the memory back unless the batch has it. */
  @Override
  public void close() {
    if (!finished) {
      answers.forEach(BlobAnswer::close);
    }
  }
}
