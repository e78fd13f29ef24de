package io.millrace.jobtracker.alert;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * The settings of a tracker that sends alerts.
 *
 * @param rules what is reported, and when
 * @param receivers who receives alerts
 * @param executor receivers are called on it; a receiver that hangs must not delay jobs, so it is
 *     not the executor that jobs use
 */
public record Alerting(AlertRules rules, List<AlertReceiver> receivers, Executor executor) {
  public Alerting {
    receivers = List.copyOf(receivers);
  }
}
