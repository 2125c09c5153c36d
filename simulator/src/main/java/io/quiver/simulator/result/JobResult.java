package io.quiver.simulator.result;

/**
 * The result of a job.
 *
 * @param name its name
 * @param gpus how many GPUs it had
 * @param startSeconds when it began
 * @param seconds how long it ran
 * @param batches how many batches it worked on
 * @param stallSeconds for how long its GPUs waited for batches
 * @param items how many items it got
 * @param hits how many of them the cache had
 * @param storeItems how many items it read from the store, for itself or to bring them in
 * @param storeBytes how many bytes those were
 * @param killed whether it was killed
 */
public record JobResult(
    String name,
    int gpus,
    double startSeconds,
    double seconds,
    long batches,
    double stallSeconds,
    long items,
    long hits,
    long storeItems,
    long storeBytes,
    boolean killed) {}
