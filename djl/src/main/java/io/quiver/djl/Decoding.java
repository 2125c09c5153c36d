package io.quiver.djl;

import ai.djl.translate.Batchifier;

/**
 * How bytes become arrays.
 *
 * @param decoder decodes batches
 * @param dataBatchifier divides the data of a batch among devices
 * @param labelBatchifier divides its labels
 */
record Decoding(BatchDecoder decoder, Batchifier dataBatchifier, Batchifier labelBatchifier) {}
