package io.quiver.djl.example;

import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestBuilder;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.IngestOptions;
import io.quiver.remote.ingest.IngestOptions.IngestKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The pictures laid out as a store that a digest describes: two idx files, uncompressed, so that
 * single pictures can be read. Each picture is an item, its label comes from the other file.
 *
 * @param items the folder that is the store
 * @param digest the digest of it
 */
record ImageStore(Path items, Path digest) {
  /** Writes both below a folder. */
  static ImageStore write(Images images, Path folder) throws IOException, InterruptedException {
    ImageStore store = new ImageStore(folder.resolve("store"), folder.resolve("train.qdg"));
    Files.createDirectories(store.items);
    int count = images.count();
    write(store.items.resolve("train-images-idx3-ubyte"), images.pixels(), 0x803, count, 28, 28);
    write(store.items.resolve("train-labels-idx1-ubyte"), images.labels(), 0x801, count);
    IngestOptions options =
        IngestOptions.defaults().withKind(IngestKind.IDX).withNames(List.of("*images*"), List.of());
    try (FileStore files = FileStore.open(store.items)) {
      DigestBuilder.build(files, store.digest, options, new DigestProgress());
    }
    return store;
  }

  private static void write(Path file, byte[] numbers, int... header) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Integer.BYTES * header.length);
    for (int word : header) {
      head.putInt(word);
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(head.array());
      out.write(numbers);
    }
  }
}
