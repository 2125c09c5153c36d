package io.quiver.benchmarks.jmh;

import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.FrameException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the frames of a batch of 512 on both sides, without payloads. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FrameBenchmark {
  private static final int BATCH = 512;

  private ByteBuffer question = ByteBuffer.allocate(0);
  private ByteBuffer answer = ByteBuffer.allocate(0);
  private final ByteBuffer target = ByteBuffer.allocateDirect(1 << 16);

  @Setup
  public void write() {
    SplittableRandom random = new SplittableRandom(1);
    List<ContentHash> hashes = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      byte[] bytes = new byte[ContentHash.BYTES];
      random.nextBytes(bytes);
      hashes.add(ContentHash.of(bytes));
    }
    AskFrame ask = new AskFrame(hashes, BATCH, false);
    question = ByteBuffer.allocateDirect(ask.bytes());
    ask.write(question);
    question.flip();
    answer = ByteBuffer.allocateDirect(AnswerFrame.bytes(BATCH));
    fill(AnswerFrame.allocate(answer, BATCH));
    answer.flip();
  }

  private static void fill(AnswerFrame frame) {
    for (int i = 0; i < BATCH; i++) {
      frame.setHit(i, 3_000, i);
    }
  }

  @Benchmark
  public AskFrame parseQuestion() throws FrameException {
    return AskFrame.parse(question);
  }

  @Benchmark
  public ByteBuffer writeAnswer() {
    target.clear();
    fill(AnswerFrame.allocate(target, BATCH));
    return target;
  }

  @Benchmark
  public AnswerFrame parseAnswer() throws FrameException {
    return AnswerFrame.parse(answer, BATCH, 1 << 20);
  }
}
