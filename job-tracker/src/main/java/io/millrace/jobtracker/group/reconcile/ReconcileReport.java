package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the findings of one run, and logs each repair. Not thread-safe. */
final class ReconcileReport {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileReport.class);
  private static final int NAMED = 5;

  private final Map<Inconsistency, Integer> repaired = new EnumMap<>(Inconsistency.class);
  private final List<String> first = new ArrayList<>();
  private int jobs;
  private int triggers;
  private int failed;

  void lookedAt(int moreJobs, int moreTriggers) {
    jobs += moreJobs;
    triggers += moreTriggers;
  }

  /**
   * Records a repair that has been committed.
   *
   * @param what the job or group, the damage and the repair
   */
  void repaired(Inconsistency damage, int count, String what) {
    LOG.warn("reconcile: {}", what);
    repaired.merge(damage, count, Integer::sum);
    if (first.size() < NAMED) {
      first.add(what);
    }
  }

  /**
   * Runs one repair. Its failure does not stop the others, unless the store is unavailable.
   *
   * @param whose the repaired object, for the log
   */
  void attempt(String whose, Runnable repair) {
    try {
      repair.run();
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      failed++;
      LOG.error("reconcile: {} could not be checked", whose, e);
    }
  }

  /** Records damage that only an operator can repair. */
  void isBeyondRepair(String what) {
    failed++;
    LOG.warn("reconcile: {}", what);
  }

  Reconciled sum() {
    return new Reconciled(jobs, triggers, Map.copyOf(repaired), List.copyOf(first), failed);
  }
}
