package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.server.CacheServer;
import io.quiver.server.ServerConfig;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A cache server over an SSD store in a process of its own. Puts the given sets into the store,
 * prints its port and serves until its standard input ends, which it does when the benchmark does.
 *
 * <p>Arguments: the store's folder, its capacity in bytes, then one argument for each set.
 */
public final class QuiverProcess {
  private QuiverProcess() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    long capacity = Long.parseLong(arguments[1]);
    try (BlobStore store =
            SsdBlobStore.open(SsdStoreConfig.of(List.of(folder), capacity), RecoveryProgress.NONE);
        CacheServer server = CacheServer.start(ServerConfig.on("127.0.0.1", 0), store)) {
      for (int i = 2; i < arguments.length; i++) {
        fill(store, BlobSet.fromArgument(arguments[i]));
      }
      System.out.println(server.address().getPort());
      System.out.flush();
      awaitEndOfInput();
    }
  }

  private static void fill(BlobStore store, BlobSet set) throws Exception {
    ContentHash[] hashes = set.hashes();
    ByteBuffer content = set.content();
    IntStream.range(0, set.count())
        .parallel()
        .forEach(i -> {
          PutOutcome outcome = store.put(hashes[i], SpaceId.DEFAULT, set.blob(content, i));
          if (outcome != PutOutcome.STORED && outcome != PutOutcome.ALREADY_HERE) {
            throw new IllegalStateException("the store did not take a blob: " + outcome);
          }
        });
  }

  private static void awaitEndOfInput() throws IOException {
    byte[] ignored = new byte[64];
    while (System.in.read(ignored) >= 0) {
      // Nothing is ever said; only the end counts.
    }
  }
}
