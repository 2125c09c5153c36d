package io.quiver.benchmarks.jmh;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures naming and checking a blob: SHA-256 once at insertion, CRC32C where it is read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HashingBenchmark {
  @Param({"3000", "20000", "150000"})
  private int bytes;

  private ByteBuffer content = ByteBuffer.allocate(0);

  @Setup
  public void fill() {
    byte[] random = new byte[bytes];
    new SplittableRandom(1).nextBytes(random);
    content = ByteBuffer.allocateDirect(bytes).put(random).flip();
  }

  @Benchmark
  public ContentHash contentHash() {
    return ContentHash.ofContent(content);
  }

  @Benchmark
  public long crc32c() {
    CRC32C crc = new CRC32C();
    crc.update(content.duplicate());
    return crc.getValue();
  }
}
