package io.quiver.simulator.scenario;

import java.util.OptionalDouble;

/**
 * An object store.
 *
 * @param name what data sets call it
 * @param machineBytesPerSecond most a machine gets
 * @param sharedBytesPerSecond most all get together; empty for no limit
 * @param latencyNanos how long a read takes beside its bytes
 */
public record StoreSpec(
    String name,
    double machineBytesPerSecond,
    OptionalDouble sharedBytesPerSecond,
    long latencyNanos) {}
