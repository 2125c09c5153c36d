package io.quiver.simulator.result;

/**
 * <<<<<<< HEAD:simulator/src/main/java/io/quiver/simulator/result/TimelineSample.java The progress
 * of all jobs at a moment. ======= The progress of a simulation at one moment. >>>>>>> 197d921
 * (Begin comments of core and commands with a
 * verb):simulator/src/main/java/io/quiver/simulator/result/Sample.java
 *
 * @param seconds the moment
 * @param batches batches worked on by all jobs so far
 * @param storeBytes bytes read from stores so far
 * @param cachedBytes bytes on all servers
 */
public record TimelineSample(double seconds, long batches, long storeBytes, long cachedBytes) {}
