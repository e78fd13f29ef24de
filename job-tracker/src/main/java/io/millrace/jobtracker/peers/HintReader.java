package io.millrace.jobtracker.peers;

import io.millrace.common.protocol.HintReply;
import io.millrace.common.protocol.HintRequest;
import io.millrace.jobtracker.signal.Signals;
import java.util.Set;
import java.util.function.Supplier;

/** Passes on what peers tell, to the rooms of this tracker and to no other tracker. Thread-safe. */
public final class HintReader {
  private final Signals here;
  private final Supplier<Set<String>> clientGroups;

  /**
   * @param here wakes the rooms of this tracker alone
   * @param clientGroups the client groups of which this tracker has a client
   */
  public HintReader(Signals here, Supplier<Set<String>> clientGroups) {
    this.here = here;
    this.clientGroups = clientGroups;
  }

  /** Passes the hints on. */
  public HintReply read(HintRequest hints) {
    hints.nodeGroups().forEach(here::nodeGroupStored);
    hints.triggers().forEach(row -> here.triggersStored(row.nodeGroup(), row.earliestDueAt()));
    hints.ended().forEach(row -> here.executionsEnded(row.nodeGroup(), row.executionIds()));
    hints.stopRequested().forEach(row -> here.stopRequested(row.nodeGroup(), row.executionIds()));
    hints.terminated().forEach(row -> here.terminated(row.nodeGroup(), row.executionIds()));
    HintRequest.Feedback feedback = hints.feedback();
    if (feedback != null && !feedback.clientGroups().containsAll(clientGroups.get())) {
      here.feedbackStored();
    }
    return new HintReply();
  }
}
