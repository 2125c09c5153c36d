package io.quiver.simulator.igt;

import io.quiver.core.stream.AccessPattern;
import java.util.List;

/**
 * A program of the study (IGTCache, Table 3).
 *
 * @param number its number in the paper's table
 * @param name its data set and what it does
 * @param pattern how the paper says that it reads
 * @param phases what it reads, one after the other
 */
public record ProgramSpec(int number, String name, AccessPattern pattern, List<Phase> phases) {
  /** Keeps its own copy. */
  public ProgramSpec {
    phases = List.copyOf(phases);
  }

  /**
   * One data set, read a number of times.
   *
   * @param files the data set
   * @param order the order of its blocks
   * @param passes how many times: epochs
   * @param workers how many processes read at once
   * @param batch how many blocks a process reads for one batch
   * @param computeSeconds the time that the program computes for one block
   * @param lists what the program lists before it reads
   */
  record Phase(
      FileSet files,
      BlockOrder order,
      int passes,
      int workers,
      int batch,
      double computeSeconds,
      Lists lists) {}

  /** Listings a program asks for before it reads. */
  enum Lists {
    /** All directories: it wants to know every file. */
    ALL,
    /** The root only. */
    ROOT
  }

  /** Returns a copy that reads each set so many times. */
  ProgramSpec passes(int passes) {
    return new ProgramSpec(
        number,
        name,
        pattern,
        phases.stream()
            .map(each ->
                new Phase(
                    each.files,
                    each.order,
                    passes,
                    each.workers,
                    each.batch,
                    each.computeSeconds,
                    each.lists))
            .toList());
  }
}
