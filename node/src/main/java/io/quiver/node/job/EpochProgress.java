package io.quiver.node.job;

/**
 * The progress of a running epoch.
 *
 * @param epoch which, from 0
 * @param samples samples delivered so far
 * @param all samples there will be
 * @param hitRatio which part of them came from the cache
 * @param stall which part of its time the job waited
 */
public record EpochProgress(int epoch, long samples, long all, double hitRatio, double stall) {}
