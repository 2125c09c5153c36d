package io.quiver.client;

import io.quiver.client.ServerFailure.Failures;
import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ResponseHead;
import io.quiver.client.transport.ServerLink.Body;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.RankedFrame;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Gives blobs new priorities at all owners. */
final class RankCall {
  private final BatchSplitter splitter;
  private final GetPart.Context context;
  private final SpaceId space;
  private final List<RankFrame.Row> rows;
  private final String fields;

  RankCall(
      BatchSplitter splitter,
      GetPart.Context context,
      SpaceId space,
      List<RankFrame.Row> rows,
      String fields) {
    this.splitter = splitter;
    this.context = context;
    this.space = space;
    this.rows = List.copyOf(rows);
    this.fields = fields;
  }

  RankAnswer run() {
    int[] all = IntStream.range(0, rows.size()).toArray();
    List<Part> parts =
        splitter.split(all, place -> rows.get(place).hash(), Wire.MAX_BATCH).stream()
            .map(Part::new)
            .toList();
    Parallel.run(parts);
    Failures failures = new Failures();
    for (Part part : parts) {
      if (part.failure != null) {
        failures.add(part.group.link().endpoint(), part.failure);
      }
    }
    List<RankedFrame> answers =
        parts.stream().map(part -> part.frame).filter(Objects::nonNull).toList();
    return new RankAnswer(
        answers.stream().mapToInt(RankedFrame::kept).sum(),
        answers.stream().mapToLong(RankedFrame::lowest).min().orElse(0),
        failures.list());
  }

  /** Runs one server's part. */
  private final class Part implements Runnable {
    private final BatchSplitter.Group group;
    private @Nullable RankedFrame frame;
    private @Nullable ExchangeException failure;

    Part(BatchSplitter.Group group) {
      this.group = group;
    }

    @Override
    public void run() {
      RankFrame rank = new RankFrame(space, group.select(rows));
      try {
        frame = group.link().exchange(context.requests().rank(rank, fields), this::read);
      } catch (ExchangeException e) {
        context.counters().failed();
        failure = e;
      }
    }

    private RankedFrame read(ResponseHead head, Body body, long deadline)
        throws IOException, FrameException {
      if (head.bodyBytes() != RankedFrame.BYTES) {
        throw new FrameException("answer of " + head.bodyBytes() + " bytes to a ranking");
      }
      ByteBuffer buffer = ByteBuffer.allocate(RankedFrame.BYTES);
      body.fill(buffer);
      return RankedFrame.parse(buffer.flip(), group.size());
    }
  }
}
