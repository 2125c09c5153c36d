package io.quiver.client;

import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ResponseHead;
import io.quiver.client.transport.ServerLink.Body;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.BindFrame;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Binds names at all their owners. */
final class BindCall {
  private final BatchSplitter splitter;
  private final GetPart.Context context;
  private final SpaceId space;
  private final List<NameBinding> bindings;
  private final String fields;

  BindCall(
      BatchSplitter splitter,
      GetPart.Context context,
      SpaceId space,
      List<NameBinding> bindings,
      String fields) {
    this.splitter = splitter;
    this.context = context;
    this.space = space;
    this.bindings = List.copyOf(bindings);
    this.fields = fields;
  }

  List<Boolean> run() {
    int[] all = IntStream.range(0, bindings.size()).toArray();
    List<Part> parts =
        splitter.split(all, place -> bindings.get(place).name().key(), Wire.MAX_BATCH).stream()
            .map(Part::new)
            .toList();
    Parallel.run(parts);
    List<Boolean> kept = new ArrayList<>(Collections.nCopies(bindings.size(), false));
    parts.forEach(part -> part.mergeInto(kept));
    return List.copyOf(kept);
  }

  /** Runs one server's part. */
  private final class Part implements Runnable {
    private final BatchSplitter.Group group;
    private @Nullable ReceiptFrame frame;

    Part(BatchSplitter.Group group) {
      this.group = group;
    }

    @Override
    public void run() {
      BindFrame bind = new BindFrame(space, group.select(bindings));
      try {
        frame = group.link().exchange(context.requests().bind(bind, fields), this::read);
      } catch (ExchangeException e) {
        context.counters().failed();
      }
    }

    private ReceiptFrame read(ResponseHead head, Body body, long deadline)
        throws IOException, FrameException {
      return PutCall.receipts(head, body, group.size());
    }

    void mergeInto(List<Boolean> kept) {
      for (int i = 0; frame != null && i < group.size(); i++) {
        kept.set(group.place(i), frame.receipts().get(i).here());
      }
    }
  }
}
