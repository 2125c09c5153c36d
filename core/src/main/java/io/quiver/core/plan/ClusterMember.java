package io.quiver.core.plan;

/**
 * A cache server of the cluster, as clients are told.
 *
 * @param name its name: decides with the others' which blobs are its own
 * @param uri where it is
 * @param weight its share of the blobs, compared with the others'
 */
public record ClusterMember(String name, String uri, double weight) {}
