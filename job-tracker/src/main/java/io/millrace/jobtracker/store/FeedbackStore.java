package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.outcome.Feedback;
import java.util.Collection;
import java.util.List;

/** Ends of triggers that clients have yet to acknowledge. */
public interface FeedbackStore {

  void append(List<Feedback> feedback);

  /** The feedback of a client group with an id above this one, in order of id. */
  List<Feedback> read(String clientGroup, long aboveId, int limit);

  /** Feedback that waits, and for whom. */
  record Unacknowledged(long id, String clientGroup) {}

  /** The feedback of all client groups with an id below this one, in order of id. */
  List<Unacknowledged> readBelow(long belowId, int limit);

  /** Deletes what was acknowledged, or is kept no longer. */
  void delete(Collection<Long> ids);
}
