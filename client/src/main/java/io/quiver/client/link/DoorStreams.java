package io.quiver.client.link;

import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import java.util.List;

/** The streams of a door, as the link to its manager needs them. Safe for use by many threads. */
public interface DoorStreams {
  /** A door that recognises no streams. */
  DoorStreams NONE =
      new DoorStreams() {
        @Override
        public List<StreamSummary> summaries() {
          return List.of();
        }

        @Override
        public void follow(List<StreamVerdict> verdicts, List<DatasetPlan> datasets) {}
      };

  /** Returns what is known of each stream that may own a quota, for the next report. */
  List<StreamSummary> summaries();

  /**
   * Takes a newer plan's word about streams. Does not block.
   *
   * @param datasets what is held of the data sets whose items doors read
   */
  void follow(List<StreamVerdict> verdicts, List<DatasetPlan> datasets);
}
