package io.quiver.core.plan;

import io.quiver.core.space.SpaceId;

/** What a job does with the cache. */
public enum Caching {
  /** The plan says what is held; misses of held chunks are shared among jobs by claims. */
  PLANNED,
  /** Every miss is inserted into one space that forgets what was not used for longest. */
  LRU,
  /** Everything is read from the store. */
  NONE;

  /** The space of {@link #LRU}. */
  public static final SpaceId LRU_SPACE = new SpaceId("lru");
}
