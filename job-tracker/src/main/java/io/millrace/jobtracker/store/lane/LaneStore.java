package io.millrace.jobtracker.store.lane;

import io.millrace.jobtracker.domain.trigger.Lane;
import java.util.List;

/** The lanes of each node group. A lane keeps its labels for ever: rows of triggers name it. */
public interface LaneStore {

  /** The lanes of a node group, in order of their numbers. */
  List<Lane> find(String nodeGroup);

  /**
   * Stores a lane whose number is one above the highest that was read; so two trackers cannot store
   * the same labels twice.
   *
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if the number was taken
   *     meanwhile
   */
  void insert(String nodeGroup, Lane lane);
}
