package io.quiver.client;

import io.quiver.client.ServerFailure.Failures;
import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.Request;
import io.quiver.client.transport.ResponseHead;
import io.quiver.client.transport.ServerLink;
import io.quiver.client.transport.ServerLink.Body;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one put over all owners. The blobs of one server are split into requests of bounded size,
 * sent in a few lanes side by side: the server checks hashes on several cores, and no offer waits
 * in a long queue while its time runs out.
 */
final class PutCall {
  private static final int LANES_PER_SERVER = 4;

  private final BatchSplitter splitter;
  private final GetPart.Context context;
  private final List<Blob> blobs;
  private final String fields;
  private final List<Optional<Receipt>> receipts;

  PutCall(BatchSplitter splitter, GetPart.Context context, List<Blob> blobs, String fields) {
    this.splitter = splitter;
    this.context = context;
    this.blobs = List.copyOf(blobs);
    this.fields = fields;
    this.receipts = new ArrayList<>(Collections.nCopies(blobs.size(), Optional.empty()));
  }

  PutAnswer run() {
    int[] fitting = IntStream.range(0, blobs.size()).filter(this::fits).toArray();
    List<Part> parts =
        splitter.split(fitting, place -> blobs.get(place).hash(), Wire.MAX_BATCH).stream()
            .flatMap(group -> PutSplit.split(group, blobs).stream())
            .map(Part::new)
            .toList();
    Parallel.run(lanes(parts));
    Failures failures = new Failures();
    long lowest = Wire.MAX_PRIORITY;
    boolean answered = false;
    for (Part part : parts) {
      part.merge();
      if (part.frame != null) {
        lowest = Math.min(lowest, part.frame.lowest());
        answered = true;
      }
      if (part.failure != null) {
        failures.add(part.group.link().endpoint(), part.failure);
      }
    }
    return new PutAnswer(receipts, answered ? lowest : 0, failures.list());
  }

  /** Returns false for a blob that is too large for this client, which is then not sent. */
  private boolean fits(int place) {
    boolean fits = blobs.get(place).content().remaining() <= context.maxBlobBytes();
    if (!fits) {
      receipts.set(place, Optional.of(Receipt.TOO_LARGE));
    }
    return fits;
  }

  private static List<Runnable> lanes(List<Part> parts) {
    Map<ServerLink, List<List<Part>>> byServer = new HashMap<>();
    Map<ServerLink, Integer> dealt = new HashMap<>();
    for (Part part : parts) {
      List<List<Part>> lanes =
          byServer.computeIfAbsent(part.group.link(), link -> new ArrayList<>());
      int turn = dealt.merge(part.group.link(), 1, Integer::sum) - 1;
      if (lanes.size() < LANES_PER_SERVER) {
        lanes.add(new ArrayList<>());
      }
      lanes.get(turn % lanes.size()).add(part);
    }
    List<Runnable> runnables = new ArrayList<>();
    for (List<List<Part>> lanes : byServer.values()) {
      lanes.forEach(lane -> runnables.add(() -> lane.forEach(Part::run)));
    }
    return runnables;
  }

  /** Runs one request to one server. */
  private final class Part {
    private final BatchSplitter.Group group;
    private @Nullable ReceiptFrame frame;
    private @Nullable ExchangeException failure;

    Part(BatchSplitter.Group group) {
      this.group = group;
    }

    void run() {
      List<Blob> offered = group.select(blobs);
      OfferFrame offer = new OfferFrame(offered.stream().map(PutCall::offer).toList());
      List<ByteBuffer> payloads = offered.stream().map(Blob::content).toList();
      Request request = context.requests().put(offer, payloads, fields);
      try {
        frame = group.link().exchange(request, this::read);
        context.counters().sent(offer.payloadBytes());
      } catch (ExchangeException e) {
        context.counters().failed();
        failure = e;
      }
    }

    private ReceiptFrame read(ResponseHead head, Body body, long deadline)
        throws IOException, FrameException {
      return receipts(head, body, group.size());
    }

    void merge() {
      for (int i = 0; frame != null && i < group.size(); i++) {
        receipts.set(group.place(i), Optional.of(frame.receipts().get(i)));
      }
    }
  }

  /** Reads the receipts for so many blobs or names. */
  static ReceiptFrame receipts(ResponseHead head, Body body, int count)
      throws IOException, FrameException {
    if (head.bodyBytes() != ReceiptFrame.HEADER_BYTES + (long) count) {
      throw new FrameException("receipt of " + head.bodyBytes() + " bytes for " + count);
    }
    ByteBuffer buffer = ByteBuffer.allocate(ReceiptFrame.HEADER_BYTES + count);
    body.fill(buffer);
    return ReceiptFrame.parse(buffer.flip(), count);
  }

  private static OfferFrame.Offer offer(Blob blob) {
    return new OfferFrame.Offer(
        blob.hash(), blob.space(), blob.content().remaining(), blob.priority());
  }

  /** Splits the blobs of one server into requests within bounds of bytes and of spaces. */
  static final class PutSplit {
    /** The most payload bytes of one request, unless a single blob is longer. */
    static final long MAX_BYTES = 16L << 20;

    private PutSplit() {}

    static List<BatchSplitter.Group> split(BatchSplitter.Group group, List<Blob> blobs) {
      List<BatchSplitter.Group> offers = new ArrayList<>();
      Set<SpaceId> spaces = new HashSet<>();
      long bytes = 0;
      int from = 0;
      for (int i = 0; i < group.size(); i++) {
        Blob blob = blobs.get(group.place(i));
        int length = blob.content().remaining();
        boolean newSpace = !spaces.contains(blob.space());
        boolean full = newSpace && spaces.size() == OfferFrame.MAX_SPACES;
        if (i > from && (full || bytes + length > MAX_BYTES)) {
          offers.add(group.range(from, i));
          spaces.clear();
          bytes = 0;
          from = i;
        }
        spaces.add(blob.space());
        bytes += length;
      }
      offers.add(group.range(from, group.size()));
      return offers;
    }
  }
}
