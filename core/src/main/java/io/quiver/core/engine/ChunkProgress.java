package io.quiver.core.engine;

/**
 * Knows how far one chunk is on its way into the cache, as far as one job can tell. Every member is
 * unseen, missing, being fetched by this job, elsewhere (another job fetches it), or done with: in
 * the cache or refused for good.
 */
public interface ChunkProgress {
  /** Makes what a job knows of a chunk at first: nothing. */
  @FunctionalInterface
  interface Start {
    /** Returns the progress of a chunk of which nothing is known. */
    ChunkProgress of(int chunks, int chunk);
  }

  /** Tells how the fetch of one member ended. */
  enum End {
    /** It is in the cache. */
    HERE,
    /** It will not be, however often one tries. */
    REFUSED,
    /** It may be the next time. */
    FAILED
  }

  /** Returns true if there are members that nobody has looked for. */
  boolean hasUnseen();

  /** Returns true if there are members to claim. */
  boolean hasMissing();

  /** Returns how many members others fetch. */
  int elsewhere();

  /** Returns true if every member is done with. */
  boolean isWhole();

  /** Returns at most so many members that nobody has looked for. */
  int[] unseen(int most);

  /** Notes that the first so many unseen members were looked for. */
  void seen(int count);

  /** Notes that a member is not in the cache. */
  void missing(int item);

  /** Takes at most so many missing members, to be claimed. */
  int[] takeMissing(int most);

  /** Notes that this job fetches a member. */
  void fetching(int item);

  /** Notes how a fetch of this job's ended; a failed one is looked for again later. */
  void ended(int item, End end);

  /** Notes that another job fetches a member. */
  void leave(int item);

  /** Takes at most so many members that others fetch, to be looked for again. */
  int[] takeElsewhere(int most);

  /** Makes what others were to fetch missing again. */
  void reclaim();
}
