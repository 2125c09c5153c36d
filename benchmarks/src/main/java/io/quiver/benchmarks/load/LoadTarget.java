package io.quiver.benchmarks.load;

import java.util.List;

/**
 * The server under load.
 *
 * @param protocol the language the server speaks, by the load generator's name for it
 * @param port where it listens on loopback
 * @param processes the ids of its processes, for their processor time
 */
public record LoadTarget(String protocol, int port, List<Long> processes) {}
