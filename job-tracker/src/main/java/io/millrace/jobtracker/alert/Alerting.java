package io.millrace.jobtracker.alert;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * What a tracker that tells alerts is given.
 *
 * @param rules when what is told
 * @param receivers who is told
 * @param executor receivers are called on it; one that hangs must not keep jobs waiting, so it is
 *     not the one that jobs are on
 */
public record Alerting(AlertRules rules, List<AlertReceiver> receivers, Executor executor) {
  public Alerting {
    receivers = List.copyOf(receivers);
  }
}
