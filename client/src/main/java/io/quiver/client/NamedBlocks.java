package io.quiver.client;

import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The calls of a cache client for blocks known by name. A server that does not answer makes its
 * names misses and its bindings lost; both only cost another read of the store. Safe for use by
 * many threads.
 */
public interface NamedBlocks {
  /**
   * Asks which blobs these names are bound to.
   *
   * @param claim true to claim names that are not bound, so that nobody else reads their blocks
   */
  NameLookup resolve(List<BlockName> names, boolean claim);

  /**
   * Binds names to blobs, each in this space, and ends the claims on them. The last binding of a
   * name counts.
   *
   * @param plan as in {@link CacheClient#put(List, long)}
   * @return for each binding, in order, whether its server keeps it
   */
  List<Boolean> bind(SpaceId space, List<NameBinding> bindings, long plan);

  /**
   * Reads parts of blobs; the caller closes the answer. A part that reaches past the end of its
   * blob is a miss.
   */
  BlobAnswer read(List<BlobPart> parts);

  /**
   * The answer to a question for names.
   *
   * @param statuses one for each name, in order: HIT where it is bound, else MISS, YOURS or PENDING
   * @param bindings one for each name, in order; empty where it is not bound
   * @param claimLease the lease of the claims granted; zero where none was
   * @param failures servers that had no part in the answer, and why
   */
  record NameLookup(
      List<AskStatus> statuses,
      List<Optional<NameBinding>> bindings,
      Duration claimLease,
      List<ServerFailure> failures) {
    /** Keeps its own copies of the lists. */
    public NameLookup {
      statuses = List.copyOf(statuses);
      bindings = List.copyOf(bindings);
      failures = List.copyOf(failures);
    }
  }
}
