/**
 * The doors for unmodified programs beside other software that does the same: mounts read by a
 * program in C, S3 endpoints asked by one client.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.benchmarks.doors;
