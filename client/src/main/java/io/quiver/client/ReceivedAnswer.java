package io.quiver.client;

import io.quiver.client.buffer.BufferPool;
import io.quiver.client.buffer.BufferPool.Lease;
import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.client.transport.ResponseHead;
import io.quiver.client.transport.ServerLink.Body;
import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.GetFrame;
import io.quiver.protocol.PartsFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Holds one server's answer to a get, frame and payloads in one leased buffer.
 *
 * @param lease the memory; the holder of this record closes it
 * @param frame the rows
 * @param claimLease the lease of the claims
 */
record ReceivedAnswer(Lease lease, AnswerFrame frame, Duration claimLease) {
  /** Reads and checks a whole answer. */
  static ReceivedAnswer read(
      GetFrame ask,
      long maxBlobBytes,
      ResponseHead head,
      Body body,
      BufferPool pool,
      long waitNanos)
      throws IOException, FrameException, ExchangeException, InterruptedException {
    int frameBytes = AnswerFrame.bytes(ask.rows());
    if (head.bodyBytes() < frameBytes) {
      throw new FrameException(
          "answer of " + head.bodyBytes() + " bytes; its rows alone take " + frameBytes);
    }
    Lease lease = lend(head.bodyBytes(), pool, waitNanos);
    boolean complete = false;
    try {
      ByteBuffer buffer = lease.buffer();
      body.fill(buffer.duplicate());
      AnswerFrame frame = AnswerFrame.parse(buffer.slice(0, frameBytes), ask.rows(), maxBlobBytes);
      requireConsistent(frame, ask, head.bodyBytes() - frameBytes);
      complete = true;
      return new ReceivedAnswer(lease, frame, head.claimLease());
    } finally {
      if (!complete) {
        lease.close();
      }
    }
  }

  private static Lease lend(long bytes, BufferPool pool, long waitNanos)
      throws ExchangeException, InterruptedException {
    @Nullable Lease lease = pool.fits(bytes) ? pool.lend((int) bytes, waitNanos) : null;
    if (lease == null) {
      throw new ExchangeException(
          FailureKind.BUFFERS,
          "no buffer for an answer of "
              + bytes
              + " bytes; close answers sooner, ask for less at once or raise the client's buffer"
              + " bytes",
          null);
    }
    return lease;
  }

  /**
   * Checks that a server sent no more than was wanted, skipped nothing it should have looked up,
   * and cut no part shorter or longer than it was asked for.
   */
  private static void requireConsistent(AnswerFrame frame, GetFrame ask, long payloadBytes)
      throws FrameException {
    if (frame.payloadBytes() != payloadBytes) {
      throw new FrameException(
          "answer announces "
              + frame.payloadBytes()
              + " bytes of payload but carries "
              + payloadBytes);
    }
    int hits = 0;
    boolean skipped = false;
    for (int i = 0; i < frame.count(); i++) {
      AskStatus status = frame.status(i);
      hits += status == AskStatus.HIT ? 1 : 0;
      skipped |= status == AskStatus.SKIPPED;
      if (status == AskStatus.HIT
          && ask instanceof PartsFrame parts
          && frame.length(i) != parts.parts().get(i).length()) {
        throw new FrameException(
            "answer with a part of "
                + frame.length(i)
                + " bytes, "
                + parts.parts().get(i).length()
                + " were asked for");
      }
    }
    int want = ask instanceof AskFrame blobs ? blobs.want() : ask.rows();
    if (hits > want || (skipped && hits < want)) {
      throw new FrameException("answer with " + hits + " hits, " + want + " were wanted");
    }
  }
}
