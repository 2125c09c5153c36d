package io.quiver.client;

import io.quiver.client.NamedBlocks.NameLookup;
import io.quiver.client.ServerFailure.Failures;
import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ResponseHead;
import io.quiver.client.transport.ServerLink.Body;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.ResolveFrame;
import io.quiver.protocol.ResolvedFrame;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Resolves names at all their owners. */
final class ResolveCall {
  private final BatchSplitter splitter;
  private final GetPart.Context context;
  private final List<BlockName> names;
  private final boolean claim;

  ResolveCall(
      BatchSplitter splitter, GetPart.Context context, List<BlockName> names, boolean claim) {
    this.splitter = splitter;
    this.context = context;
    this.names = List.copyOf(names);
    this.claim = claim;
  }

  NameLookup run() {
    int[] all = IntStream.range(0, names.size()).toArray();
    List<Part> parts =
        splitter.split(all, place -> names.get(place).key(), Wire.MAX_BATCH).stream()
            .map(Part::new)
            .toList();
    Parallel.run(parts);
    List<AskStatus> statuses = new ArrayList<>(Collections.nCopies(names.size(), AskStatus.MISS));
    List<Optional<NameBinding>> bindings =
        new ArrayList<>(Collections.nCopies(names.size(), Optional.empty()));
    Failures failures = new Failures();
    Duration lease = Duration.ZERO;
    for (Part part : parts) {
      part.mergeInto(statuses, bindings);
      lease = part.lease.compareTo(lease) > 0 ? part.lease : lease;
      if (part.failure != null) {
        failures.add(part.group.link().endpoint(), part.failure);
      }
    }
    return new NameLookup(statuses, bindings, lease, failures.list());
  }

  /** Runs one server's part. */
  private final class Part implements Runnable {
    private final BatchSplitter.Group group;
    private final List<BlockName> asked;
    private @Nullable ResolvedFrame frame;
    private Duration lease = Duration.ZERO;
    private @Nullable ExchangeException failure;

    Part(BatchSplitter.Group group) {
      this.group = group;
      this.asked = group.select(names);
    }

    @Override
    public void run() {
      ResolveFrame ask = new ResolveFrame(asked, claim);
      try {
        frame = group.link().exchange(context.requests().resolve(ask), this::read);
      } catch (ExchangeException e) {
        context.counters().failed();
        failure = e;
      }
    }

    private ResolvedFrame read(ResponseHead head, Body body, long deadline)
        throws IOException, FrameException {
      int bytes = ResolvedFrame.bytes(asked.size());
      if (head.bodyBytes() != bytes) {
        throw new FrameException(
            "answer of " + head.bodyBytes() + " bytes to a question for " + asked.size());
      }
      ByteBuffer buffer = ByteBuffer.allocate(bytes);
      body.fill(buffer);
      lease = head.claimLease();
      return ResolvedFrame.parse(buffer.flip(), asked);
    }

    void mergeInto(List<AskStatus> statuses, List<Optional<NameBinding>> bindings) {
      for (int i = 0; frame != null && i < group.size(); i++) {
        statuses.set(group.place(i), frame.rows().get(i).status());
        bindings.set(group.place(i), frame.rows().get(i).binding());
      }
    }
  }
}
