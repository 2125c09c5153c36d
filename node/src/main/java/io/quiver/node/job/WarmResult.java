package io.quiver.node.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The contents of the cache after warming, found by lookups.
 *
 * @param dataset the first eight digits of the data set's identity
 * @param items how many items it has
 * @param bytes how long they are together
 * @param chunks how many chunks it is divided into
 * @param pinnedChunks how many of them the plan keeps in the cache
 * @param residentItems items of those chunks that were found
 * @param residentBytes their bytes
 * @param missingItems items of those chunks that were not
 * @param readBack items that were read from the cache and hashed
 * @param unreadable those of them that did not come, or not as they should
 * @param storeReads items this command read from the store
 * @param storeBytes their bytes
 * @param seconds how long it took
 * @param reason why an item is missing; empty when none is
 */
public record WarmResult(
    String dataset,
    int items,
    long bytes,
    int chunks,
    int pinnedChunks,
    int residentItems,
    long residentBytes,
    int missingItems,
    int readBack,
    int unreadable,
    long storeReads,
    long storeBytes,
    double seconds,
    String reason) {

  /** Returns true if everything the plan keeps is there. */
  @JsonProperty("as_planned")
  public boolean isAsPlanned() {
    return missingItems == 0 && unreadable == 0;
  }

  /** Returns true if the whole data set is there. */
  @JsonProperty("whole")
  public boolean isWhole() {
    return residentItems == items;
  }
}
