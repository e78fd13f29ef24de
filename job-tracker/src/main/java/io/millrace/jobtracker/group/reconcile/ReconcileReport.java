package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what one run finds, and says each repair in the log. Used by one thread. */
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
   * Takes note of a repair that has been committed.
   *
   * @param what whose it was, what was wrong and what was done
   */
  void repaired(Inconsistency damage, int count, String what) {
    LOG.warn("reconcile: {}", what);
    repaired.merge(damage, count, Integer::sum);
    if (first.size() < NAMED) {
      first.add(what);
    }
  }

  /**
   * Runs one repair. Its failure keeps no other from being done, unless the store is out of reach.
   *
   * @param whose for the log
   */
  void attempt(String whose, Runnable repair) {
    try {
      repair.run();
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      failed++;
      LOG.error("reconcile: {} could not be looked at", whose, e);
    }
  }

  /** Takes note of damage that only an operator can repair. */
  void isBeyondRepair(String what) {
    failed++;
    LOG.warn("reconcile: {}", what);
  }

  Reconciled sum() {
    return new Reconciled(jobs, triggers, Map.copyOf(repaired), List.copyOf(first), failed);
  }
}
