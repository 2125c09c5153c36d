package io.quiver.client;

import io.quiver.client.ServerFailure.Failures;
import io.quiver.client.buffer.BufferPool.Lease;
import io.quiver.protocol.AskStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Combines the parts of all servers in the order asked. */
final class GatheredAnswer implements BlobAnswer {
  private final AskStatus[] statuses;
  private final @Nullable ByteBuffer[] sources;
  private final int[] offsets;
  private final int[] lengths;
  private final List<Lease> leases = new ArrayList<>();
  private final Failures failures = new Failures();
  private Duration claimLease = Duration.ZERO;
  private int hits;
  private long hitBytes;
  private volatile boolean closed;

  /** Creates an answer in which no hash has been looked up. */
  GatheredAnswer(int size) {
    statuses = new AskStatus[size];
    Arrays.fill(statuses, AskStatus.SKIPPED);
    sources = new ByteBuffer[size];
    offsets = new int[size];
    lengths = new int[size];
  }

  /** Takes over the blobs that a part found, and its memory. */
  void add(GetPart part) {
    leases.addAll(part.leases());
    BatchSplitter.Group group = part.group();
    for (int i = 0; i < group.size(); i++) {
      int place = group.place(i);
      statuses[place] = part.status(i);
      sources[place] = part.source(i);
      offsets[place] = part.offset(i);
      lengths[place] = part.length(i);
      hitBytes += part.length(i);
    }
    hits += part.hits();
    if (part.claimLease().compareTo(claimLease) > 0) {
      claimLease = part.claimLease();
    }
    if (part.failure() != null) {
      failures.add(part.group().link().endpoint(), part.failure());
    }
  }

  @Override
  public int size() {
    return statuses.length;
  }

  @Override
  public AskStatus status(int index) {
    return statuses[index];
  }

  @Override
  public ByteBuffer bytes(int index) {
    if (closed) {
      throw new IllegalStateException("the answer is closed");
    }
    if (statuses[index] != AskStatus.HIT) {
      throw new IllegalStateException("blob " + index + " is " + statuses[index] + ", not a hit");
    }
    ByteBuffer source = Objects.requireNonNull(sources[index]);
    return source.slice(offsets[index], lengths[index]).asReadOnlyBuffer();
  }

  @Override
  public int hits() {
    return hits;
  }

  @Override
  public long hitBytes() {
    return hitBytes;
  }

  @Override
  public int count(AskStatus status) {
    int count = 0;
    for (AskStatus each : statuses) {
      count += each == status ? 1 : 0;
    }
    return count;
  }

  @Override
  public Duration claimLease() {
    return claimLease;
  }

  @Override
  public List<ServerFailure> failures() {
    return failures.list();
  }

  @Override
  public void close() {
    closed = true;
    leases.forEach(Lease::close);
  }
}
