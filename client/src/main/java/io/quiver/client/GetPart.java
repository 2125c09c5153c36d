package io.quiver.client;

import io.quiver.client.GetRequest.Verification;
import io.quiver.client.buffer.BufferPool;
import io.quiver.client.buffer.BufferPool.Lease;
import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.client.transport.ServerLink;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.GetFrame;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Runs one server's part of a get: asks, asks again for blobs that were deferred or damaged, and
 * keeps the outcome until the call merges it. Runs in one thread.
 */
final class GetPart implements Runnable {
  // Servers bound their answers to tens of megabytes: more rounds would not fit any buffer budget.
  private static final int MAX_ROUNDS = 64;

  private final Context context;
  private final BatchSplitter.Group group;
  private final Inquiry inquiry;
  private final int want;
  private final BlobCheck check;

  private final AskStatus[] statuses;
  private final @Nullable ByteBuffer[] sources;
  private final int[] offsets;
  private final int[] lengths;
  private final boolean[] damagedOnce;
  private final List<Lease> leases = new ArrayList<>();
  private int hits;
  private Duration claimLease = Duration.ZERO;
  private @Nullable ExchangeException failure;

  /**
   * The objects that every part of every call uses.
   *
   * @param requests makes requests
   * @param buffers memory for answers
   * @param counters counts damaged blobs and failures
   * @param maxBlobBytes longest blob
   * @param nanoTime the clock
   */
  record Context(
      RequestFactory requests,
      BufferPool buffers,
      ClientCounters counters,
      long maxBlobBytes,
      LongSupplier nanoTime) {}

  GetPart(Context context, BatchSplitter.Group group, Inquiry inquiry, int want) {
    this.context = context;
    this.group = group;
    this.inquiry = inquiry;
    this.want = want;
    this.check = new BlobCheck(inquiry.verification());
    int size = group.size();
    this.statuses = new AskStatus[size];
    this.sources = new ByteBuffer[size];
    this.offsets = new int[size];
    this.lengths = new int[size];
    this.damagedOnce = new boolean[size];
    Arrays.fill(statuses, AskStatus.SKIPPED);
  }

  @Override
  public void run() {
    int[] open = all(statuses.length);
    try {
      for (int round = 0; round < MAX_ROUNDS && hits < want && open.length > 0; round++) {
        int before = open.length;
        int[] rest = ask(open);
        if (rest.length == before && !damagedOnce[rest[0]]) {
          break;
        }
        open = rest;
      }
    } catch (ExchangeException e) {
      if (e.kind() == FailureKind.FORGED) {
        distrust();
      }
      fail(e);
    }
  }

  private static int[] all(int count) {
    int[] places = new int[count];
    for (int i = 0; i < count; i++) {
      places[i] = i;
    }
    return places;
  }

  /** Asks for these indexes and returns those to be asked for again. */
  private int[] ask(int[] open) throws ExchangeException {
    int[] places = Arrays.stream(open).map(group::place).toArray();
    GetFrame ask = inquiry.frame(places, Math.min(want - hits, open.length));
    ReceivedAnswer answer =
        group
            .link()
            .exchange(
                context.requests().get(ask),
                (head, body, deadline) ->
                    ReceivedAnswer.read(
                        ask,
                        context.maxBlobBytes(),
                        head,
                        body,
                        context.buffers(),
                        waitForBuffers(deadline)));
    return take(answer, open);
  }

  /**
   * Returns the time to wait for buffers; a call that holds memory already does not wait, because
   * nobody else may be there to free any.
   */
  private long waitForBuffers(long deadline) {
    return leases.isEmpty() ? deadline - context.nanoTime().getAsLong() : 0;
  }

  private int[] take(ReceivedAnswer answer, int[] open) throws ExchangeException {
    leases.add(answer.lease());
    if (answer.claimLease().compareTo(claimLease) > 0) {
      claimLease = answer.claimLease();
    }
    AnswerFrame frame = answer.frame();
    ByteBuffer window = answer.lease().buffer().duplicate();
    int[] rest = new int[open.length];
    int left = 0;
    int offset = AnswerFrame.bytes(frame.count());
    for (int row = 0; row < frame.count(); row++) {
      int place = open[row];
      statuses[place] = frame.status(row);
      if (statuses[place] == AskStatus.HIT) {
        window.limit(offset + frame.length(row)).position(offset);
        if (takeHit(place, window, frame.crc32c(row))) {
          sources[place] = answer.lease().buffer();
          offsets[place] = offset;
          lengths[place] = frame.length(row);
        }
        offset += frame.length(row);
      }
      if (statuses[place] == AskStatus.DEFERRED) {
        rest[left++] = place;
      }
    }
    releaseIfEmpty(answer);
    return Arrays.copyOf(rest, left);
  }

  /**
   * Takes a hit and returns true, or returns false for a damaged blob: it is asked for once more,
   * then it is a miss.
   *
   * @throws ExchangeException if the server sent other bytes on purpose: their checksum is right
   */
  private boolean takeHit(int place, ByteBuffer bytes, int crc32c) throws ExchangeException {
    int start = bytes.position();
    if (!check.isIntact(crc32c, bytes)) {
      context.counters().mismatched();
      statuses[place] = damagedOnce[place] ? AskStatus.MISS : AskStatus.DEFERRED;
      damagedOnce[place] = true;
      return false;
    }
    if (check.hashes(group.link())
        && !ContentHash.ofContent(bytes.position(start)).equals(hash(place))) {
      context.counters().mismatched();
      throw group.link().exclude();
    }
    hits++;
    return true;
  }

  /** Gives up every hit of a server that forges blobs. */
  private void distrust() {
    Arrays.fill(statuses, AskStatus.SKIPPED);
    Arrays.fill(sources, null);
    hits = 0;
    leases.forEach(Lease::close);
    leases.clear();
  }

  private void releaseIfEmpty(ReceivedAnswer answer) {
    if (answer.frame().payloadBytes() == 0) {
      leases.removeLast();
      answer.lease().close();
    }
  }

  private void fail(ExchangeException e) {
    context.counters().failed();
    failure = e;
    AskStatus rest = e.kind() == FailureKind.BUFFERS ? AskStatus.DEFERRED : AskStatus.MISS;
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i] == AskStatus.SKIPPED || statuses[i] == AskStatus.DEFERRED) {
        statuses[i] = rest;
      }
    }
  }

  private ContentHash hash(int place) {
    return inquiry.hash(group.place(place));
  }

  BatchSplitter.Group group() {
    return group;
  }

  AskStatus status(int place) {
    return statuses[place];
  }

  /** Returns the buffer that contains a hit. */
  @Nullable ByteBuffer source(int place) {
    return sources[place];
  }

  int offset(int place) {
    return offsets[place];
  }

  int length(int place) {
    return lengths[place];
  }

  int hits() {
    return hits;
  }

  List<Lease> leases() {
    return leases;
  }

  Duration claimLease() {
    return claimLease;
  }

  @Nullable ExchangeException failure() {
    return failure;
  }

  /** Verifies received bytes, reusing its checksums for a whole batch; for one thread. */
  static final class BlobCheck {
    private final Verification verification;
    private final CRC32C crc = new CRC32C();

    BlobCheck(Verification verification) {
      this.verification = verification;
    }

    /** Returns true if the bytes between position and limit, which may move, are undamaged. */
    boolean isIntact(int crc32c, ByteBuffer bytes) {
      if (verification == Verification.NONE) {
        return true;
      }
      crc.reset();
      crc.update(bytes);
      return (int) crc.getValue() == crc32c;
    }

    /** Returns true if the hash of a blob of this server is to be computed. */
    boolean hashes(ServerLink link) {
      return verification == Verification.SHA256
          || (verification == Verification.SAMPLED && link.samples());
    }
  }
}
