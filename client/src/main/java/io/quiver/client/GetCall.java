package io.quiver.client;

import io.quiver.client.buffer.Lease;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One get: asks every owner for its proportional share and, while the answer is short, asks again
 * among what was left out. Every round settles at least one blob of each part it asks, so the
 * rounds end.
 */
final class GetCall {
  private final Owners owners;
  private final GetPart.Context context;
  private final Question question;
  private final GatheredAnswer answer;

  GetCall(Owners owners, GetPart.Context context, Question question) {
    this.owners = owners;
    this.context = context;
    this.question = question;
    this.answer = new GatheredAnswer(question.hashes().size());
  }

  BlobAnswer run() {
    boolean complete = false;
    try {
      int[] open = IntStream.range(0, answer.size()).toArray();
      while (answer.hits() < question.want() && open.length > 0) {
        round(open);
        open = leftOut();
      }
      complete = true;
      return answer;
    } finally {
      if (!complete) {
        answer.close();
      }
    }
  }

  private void round(int[] open) {
    List<Owners.Group> groups = owners.split(open, question.hashes()::get, Wire.MAX_BATCH);
    int[] sizes = groups.stream().mapToInt(group -> group.size()).toArray();
    int[] shares = Shares.of(sizes, question.want() - answer.hits());
    List<GetPart> parts = new ArrayList<>(groups.size());
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > 0) {
        parts.add(new GetPart(context, groups.get(i), question, shares[i]));
      }
    }
    try {
      Parallel.run(parts);
    } catch (RuntimeException | Error e) {
      parts.forEach(part -> part.leases().forEach(Lease::close));
      throw e;
    }
    parts.forEach(answer::add);
  }

  private int[] leftOut() {
    return IntStream.range(0, answer.size())
        .filter(place -> answer.status(place) == AskStatus.SKIPPED)
        .toArray();
  }
}
