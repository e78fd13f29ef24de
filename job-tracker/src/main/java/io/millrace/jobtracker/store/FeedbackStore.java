package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.outcome.Feedback;
import java.util.Collection;
import java.util.List;

/** Results of triggers that clients have not acknowledged yet. */
public interface FeedbackStore {

  void append(List<Feedback> feedback);

  /** The feedback of a client group with an id above this one, in order of id. */
  List<Feedback> read(String clientGroup, long aboveId, int limit);

  /** Feedback that is not acknowledged, and its client group. */
  record Unacknowledged(long id, String clientGroup) {}

  /** The feedback of all client groups with an id below this one, in order of id. */
  List<Unacknowledged> readBelow(long belowId, int limit);

  /** Deletes feedback that was acknowledged, or whose retention is over. */
  void delete(Collection<Long> ids);
}
