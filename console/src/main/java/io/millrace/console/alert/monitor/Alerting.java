package io.millrace.console.alert.monitor;

import io.millrace.jobtracker.observe.ObservedTracker;
import io.millrace.jobtracker.observe.TrackerObserver;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The settings of a tracker that sends alerts; makes the observer that sends them.
 *
 * @param rules what is reported, and when
 * @param receivers who receives alerts
 * @param executor receivers are called on it, until the tracker is closed; a receiver that hangs
 *     must not delay jobs, so it is not the executor that jobs use
 */
public record Alerting(AlertRules rules, List<AlertReceiver> receivers, Executor executor)
    implements TrackerObserver.Factory {
  public Alerting {
    receivers = List.copyOf(receivers);
  }

  @Override
  public TrackerObserver observe(ObservedTracker tracker) {
    return new AlertService(this, tracker);
  }
}
