package io.quiver.client.loader;

/** What a job does with the cache. */
public enum CachingMode {
  /** The plan says what is held; misses of held chunks are shared among jobs by claims. */
  PLANNED,
  /** Every miss is inserted into one space that forgets what was not used for longest. */
  LRU,
  /** Everything is read from the store. */
  NONE
}
