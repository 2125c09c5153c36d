package io.quiver.simulator.igt.pattern;

import java.util.List;
import java.util.random.RandomGenerator;

/** The reads of several readers, mixed. */
final class MixedReads implements ReadSource {
  /** Ways in which readers take turns. */
  enum Turns {
    /** Anyone reads next, whatever the others do. */
    ANY,
    /** Each reads once in a round, in an order that is drawn: the workers of one loader. */
    ROUNDS
  }

  private final List<ReadSource> readers;
  private final Turns turns;
  private final boolean toldApart;
  private final RandomGenerator random;
  private int[] round = {};
  private int at;

  /**
   * Mixes reads.
   *
   * @param toldApart whether the reads say who made them
   */
  MixedReads(List<ReadSource> readers, Turns turns, boolean toldApart, RandomGenerator random) {
    this.readers = List.copyOf(readers);
    this.turns = turns;
    this.toldApart = toldApart;
    this.random = random;
  }

  @Override
  public Read next() {
    int reader = turns == Turns.ANY ? random.nextInt(readers.size()) : nextOfRound();
    return new Read(readers.get(reader).next().item(), toldApart ? reader : 0);
  }

  private int nextOfRound() {
    if (at == round.length) {
      round = Shuffle.of(readers.size(), random);
      at = 0;
    }
    return round[at++];
  }
}
