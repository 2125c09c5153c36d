package io.quiver.core.plan;

import io.quiver.core.benefit.Probe;

/**
 * A probe that is under way.
 *
 * @param job whose
 * @param store which store it reads
 * @param probe what it tries out
 * @param since when it was told to, in nanoseconds
 */
record ProbeRun(String job, String store, Probe probe, long since) {}
