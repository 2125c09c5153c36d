package io.quiver.simulator.scenario;

import io.quiver.core.order.SamplerKind;

/**
 * A training job.
 *
 * @param name its name
 * @param machine where it runs
 * @param dataset what it reads
 * @param batch how many items it takes at a time
 * @param computeNanos how long its GPUs work on a batch
 * @param jitter each batch takes up to this share more or less
 * @param gpus how many GPUs it has
 * @param epochs how many epochs it runs at most
 * @param batches how many batches it runs at most
 * @param nanos how long it runs at most
 * @param startNanos when it begins
 * @param sampler how it puts epochs in order
 */
public record JobSpec(
    String name,
    String machine,
    String dataset,
    int batch,
    long computeNanos,
    double jitter,
    int gpus,
    int epochs,
    long batches,
    long nanos,
    long startNanos,
    SamplerKind sampler) {}
