package io.quiver.benchmarks.serve;

/**
 * How fast one peer served one workload.
 *
 * @param gigabytesPerSecond payload only, in units of 10^9 bytes
 * @param serverCpuSecondsPerGigabyte processor time of the server's processes
 * @param clientCpuSecondsPerGigabyte processor time of the asking process
 */
public record PeerSpeed(
    double gigabytesPerSecond,
    double serverCpuSecondsPerGigabyte,
    double clientCpuSecondsPerGigabyte) {}
