package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.Feedback;
import java.util.Collection;
import java.util.List;

/** Ends of triggers that clients have yet to acknowledge. */
public interface FeedbackStore {

  void append(List<Feedback> feedback);

  /** The feedback of a client group with an id above this one, in order of id. */
  List<Feedback> read(String clientGroup, long aboveId, int limit);

  /** Deletes what was acknowledged. */
  void delete(Collection<Long> ids);
}
