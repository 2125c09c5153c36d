package io.quiver.client;

import io.quiver.client.ServerFailure.Failures;
import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ResponseHead;
import io.quiver.client.transport.ServerLink.Body;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs one lookup over all owners. */
final class LookupCall {
  private final BatchSplitter splitter;
  private final GetPart.Context context;
  private final List<ContentHash> hashes;
  private final boolean claim;

  LookupCall(
      BatchSplitter splitter, GetPart.Context context, List<ContentHash> hashes, boolean claim) {
    this.splitter = splitter;
    this.context = context;
    this.hashes = List.copyOf(hashes);
    this.claim = claim;
  }

  Lookup run() {
    int[] all = IntStream.range(0, hashes.size()).toArray();
    List<Part> parts =
        splitter.split(all, hashes::get, Wire.MAX_BATCH).stream().map(Part::new).toList();
    Parallel.run(parts);
    AskStatus[] statuses = new AskStatus[hashes.size()];
    Failures failures = new Failures();
    Duration lease = Duration.ZERO;
    for (Part part : parts) {
      part.mergeInto(statuses);
      lease = part.lease.compareTo(lease) > 0 ? part.lease : lease;
      if (part.failure != null) {
        failures.add(part.group.link().endpoint(), part.failure);
      }
    }
    return new Lookup(Arrays.asList(statuses), lease, failures.list());
  }

  /** Runs one server's part. */
  private final class Part implements Runnable {
    private final BatchSplitter.Group group;
    private @Nullable AnswerFrame frame;
    private Duration lease = Duration.ZERO;
    private @Nullable ExchangeException failure;

    Part(BatchSplitter.Group group) {
      this.group = group;
    }

    @Override
    public void run() {
      List<ContentHash> asked = group.select(hashes);
      AskFrame ask = new AskFrame(asked, asked.size(), claim);
      try {
        frame = group.link().exchange(context.requests().lookup(ask), this::read);
      } catch (ExchangeException e) {
        context.counters().failed();
        failure = e;
      }
    }

    private AnswerFrame read(ResponseHead head, Body body, long deadline)
        throws IOException, FrameException {
      int count = group.size();
      if (head.bodyBytes() != AnswerFrame.bytes(count)) {
        throw new FrameException(
            "answer of " + head.bodyBytes() + " bytes to a lookup of " + count);
      }
      ByteBuffer buffer = ByteBuffer.allocate(AnswerFrame.bytes(count));
      body.fill(buffer);
      lease = head.claimLease();
      return AnswerFrame.parse(buffer.flip(), count, 0);
    }

    void mergeInto(AskStatus[] statuses) {
      for (int i = 0; i < group.size(); i++) {
        statuses[group.place(i)] = frame == null ? AskStatus.MISS : frame.status(i);
      }
    }
  }
}
