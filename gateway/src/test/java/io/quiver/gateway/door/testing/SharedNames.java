package io.quiver.gateway.door.testing;

import io.quiver.client.BlobAnswer;
import io.quiver.client.BlobPart;
import io.quiver.client.CacheClient;
import io.quiver.client.NamedBlocks;
import io.quiver.client.ServerFailure;
import io.quiver.core.claim.Claim;
import io.quiver.core.claim.ClaimTable;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Names in memory, the obvious way, shared by the doors of a test; blobs are on real servers. */
public final class SharedNames {
  private static final Duration LEASE = Duration.ofSeconds(5);

  private final Map<BlockName, NameBinding> bindings = new HashMap<>();
  private final ClaimTable claims = new ClaimTable(LEASE, 100_000);

  /** Returns these names as one door sees them. */
  public NamedBlocks of(String door, CacheClient blobs) {
    return new OneDoor(door, blobs);
  }

  private final class OneDoor implements NamedBlocks {
    private final String door;
    private final CacheClient blobs;

    private OneDoor(String door, CacheClient blobs) {
      this.door = door;
      this.blobs = blobs;
    }

    @Override
    public NameLookup resolve(List<BlockName> names, boolean claim) {
      List<AskStatus> statuses = new ArrayList<>();
      List<Optional<NameBinding>> found = new ArrayList<>();
      synchronized (SharedNames.this) {
        for (BlockName name : names) {
          NameBinding binding = bindings.get(name);
          found.add(Optional.ofNullable(binding));
          statuses.add(binding != null ? AskStatus.HIT : missing(name, claim));
        }
      }
      return new NameLookup(statuses, found, LEASE, List.of());
    }

    private AskStatus missing(BlockName name, boolean claim) {
      if (!claim) {
        return AskStatus.MISS;
      }
      return claims.ask(name.key(), door, System.nanoTime()) == Claim.YOURS
          ? AskStatus.YOURS
          : AskStatus.PENDING;
    }

    @Override
    public List<Boolean> bind(SpaceId space, List<NameBinding> added, long plan) {
      synchronized (SharedNames.this) {
        for (NameBinding binding : added) {
          bindings.put(binding.name(), binding);
          claims.resolve(binding.name().key());
        }
      }
      return Collections.nCopies(added.size(), true);
    }

    @Override
    public BlobAnswer read(List<BlobPart> parts) {
      return new PartAnswer(
          parts, blobs.get(parts.stream().map(BlobPart::hash).toList()));
    }
  }

  /** Cuts the parts out of whole blobs. */
  private record PartAnswer(List<BlobPart> parts, BlobAnswer whole) implements BlobAnswer {
    private PartAnswer {
      parts = List.copyOf(parts);
    }

    @Override
    public int size() {
      return parts.size();
    }

    @Override
    public AskStatus status(int index) {
      BlobPart part = parts.get(index);
      boolean fits =
          whole.status(index) == AskStatus.HIT
              && part.offset() + part.length() <= whole.bytes(index).remaining();
      return fits ? AskStatus.HIT : AskStatus.MISS;
    }

    @Override
    public ByteBuffer bytes(int index) {
      BlobPart part = parts.get(index);
      return whole.bytes(index).slice((int) part.offset(), part.length());
    }

    @Override
    public int hits() {
      return count(AskStatus.HIT);
    }

    @Override
    public long hitBytes() {
      long bytes = 0;
      for (int i = 0; i < size(); i++) {
        bytes += status(i) == AskStatus.HIT ? parts.get(i).length() : 0;
      }
      return bytes;
    }

    @Override
    public int count(AskStatus status) {
      int count = 0;
      for (int i = 0; i < size(); i++) {
        count += status(i) == status ? 1 : 0;
      }
      return count;
    }

    @Override
    public Duration claimLease() {
      return Duration.ZERO;
    }

    @Override
    public List<ServerFailure> failures() {
      return whole.failures();
    }

    @Override
    public void close() {
      whole.close();
    }
  }
}
