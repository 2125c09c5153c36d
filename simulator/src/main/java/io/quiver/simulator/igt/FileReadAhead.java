package io.quiver.simulator.igt;

import java.util.HashMap;
import java.util.Map;

/**
 * Reads ahead of workers that go forward in a file, up to eight blocks: twice as many with every
 * block as doors do it, or whenever as many were read as were ahead, as JuiceFS does.
 */
final class FileReadAhead {
  private static final int MOST_AHEAD = 8;
  private static final int WORKER_BITS = 8;

  private final boolean withEveryBlock;
  private final Map<Long, FileProgress> workers = new HashMap<>();

  /** The way of a worker through a file. */
  private static final class FileProgress {
    long key = Long.MIN_VALUE;
    int inFile;
    int forward;
    int ahead;
  }

  FileReadAhead(boolean withEveryBlock) {
    this.withEveryBlock = withEveryBlock;
  }

  /** Notes a read; returns how many of the next blocks of its file are to be read ahead. */
  int note(RunningProgram program, int worker, FileSet files, int block) {
    long reader = (long) program.spec().number() << WORKER_BITS | worker;
    FileProgress at = workers.computeIfAbsent(reader, any -> new FileProgress());
    int inFile = files.inFile(block);
    boolean goesOn = files.key(block) == at.key + 1 && inFile == at.inFile + 1;
    at.key = files.key(block);
    at.inFile = inFile;
    if (!goesOn) {
      at.forward = 0;
      at.ahead = inFile == 0 ? 1 : 0;
    } else {
      at.forward++;
      if (at.ahead < MOST_AHEAD && (withEveryBlock || at.forward >= at.ahead)) {
        at.ahead = Math.max(1, 2 * at.ahead);
      }
    }
    return Math.min(at.ahead, files.blocksOfFile() - 1 - inFile);
  }
}
