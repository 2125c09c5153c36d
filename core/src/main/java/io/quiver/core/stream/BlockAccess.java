package io.quiver.core.stream;

/**
 * One read of one block by a program, as a door saw it.
 *
 * @param path the object's name below the root of its store; parts are divided by slashes
 * @param block the number of the block in its object, from 0
 * @param blocks how many blocks the object has
 * @param bytes how long the block is
 * @param reader who reads, as far as the door can tell readers apart: a process or a connection
 * @param nanos the time of the read, of a clock that may jump
 * @param fromStore true if the store had to be asked
 * @param tookNanos how long the program waited for the bytes
 */
public record BlockAccess(
    String path,
    int block,
    int blocks,
    int bytes,
    long reader,
    long nanos,
    boolean fromStore,
    long tookNanos) {}
