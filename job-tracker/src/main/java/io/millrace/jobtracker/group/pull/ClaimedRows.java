package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What one claim transaction does with the rows it has deleted, and which it leaves alone. Made
 * anew when the transaction is repeated. Not thread-safe.
 */
final class ClaimedRows {
  private final List<Won> won = new ArrayList<>();
  private final List<WaitingTrigger> backToWaiting = new ArrayList<>();
  private final List<TriggerCompletion> skipped = new ArrayList<>();
  private final List<Long> tooEarly = new ArrayList<>();

  void runs(Won one) {
    won.add(one);
  }

  /** It waits on: for its turn, or as the next of a chained job. */
  void waits(WaitingTrigger row) {
    backToWaiting.add(row);
  }

  void isSkipped(TriggerCompletion end) {
    skipped.add(end);
  }

  /** These rows are not touched: whether they have their turns is asked again at their time. */
  void areTooEarly(Collection<Long> rowIds) {
    tooEarly.addAll(rowIds);
  }

  List<Long> tooEarly() {
    return tooEarly;
  }

  List<Won> won() {
    return won;
  }

  List<WaitingTrigger> backToWaiting() {
    return backToWaiting;
  }

  List<TriggerCompletion> skipped() {
    return skipped;
  }
}
