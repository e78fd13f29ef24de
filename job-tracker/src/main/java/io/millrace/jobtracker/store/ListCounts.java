package io.millrace.jobtracker.store;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what lists have. The conditions are those of the searches that the lists are read with.
 *
 * <p>A count reads its rows in steps, each with a statement and a transaction of its own. However
 * many rows it examines, no statement is long, no connection is held between steps, and neither the
 * database nor the tracker keeps more than the rows of one step. Rows that change meanwhile are
 * counted as the step that passes them finds them.
 */
public interface ListCounts {

  /**
   * How far a count goes.
   *
   * @param rows the most rows that are examined, whether they match or not
   * @param step the most rows that one statement examines
   * @param goesOn is asked between two steps; false ends the count
   */
  record Bound(int rows, int step, BooleanSupplier goesOn) {
    /** Few enough that a statement takes a fraction of a second from a slow disk. */
    public static final int STEP = 10_000;

    /** A count of this many rows at most. */
    public static Bound of(int rows) {
      return new Bound(rows, STEP, () -> true);
    }

    /** What is left after this many rows. */
    public Bound behind(int examined) {
      return new Bound(rows - examined, step, goesOn);
    }
  }

  /**
   * The result of a count.
   *
   * @param found those that match among the rows that were examined
   * @param examined how many rows were examined
   * @param isCut whether there may be rows that were not examined
   */
  record Count(int found, int examined, boolean isCut) {

    /** This count and one of other rows. */
    public Count plus(Count other) {
      return new Count(found + other.found, examined + other.examined, isCut || other.isCut);
    }
  }

  /** The jobs that match, live or not. */
  Count jobs(JobStore.Search search, Bound bound);

  /** All triggers of a node group that wait. */
  Count waiting(String nodeGroup, Bound bound);

  /**
   * The one-shots of a node group that wait.
   *
   * @param prefix those whose task id has this prefix; null means any
   * @param handler those that run this handler; null means any
   */
  Count oneShots(String nodeGroup, @Nullable String prefix, @Nullable String handler, Bound bound);

  /**
   * What is under way: executions, and runs that were split; null means any.
   *
   * @param taskId those of this task id; only with a node group
   * @param workerId those that this worker holds: no worker holds a run that was split
   */
  record Running(@Nullable String nodeGroup, @Nullable String taskId, @Nullable String workerId) {}

  /** What is under way and matches. */
  Count running(Running search, Bound bound);

  /** The rows of the ledger that match, the newest of them. */
  Count ledger(LedgerStore.Search search, Bound bound);

  /** The rows of one job in the ledger that match. */
  Count ledgerOf(long jobId, LedgerStore.Search search, Bound bound);

  /** The dead triggers that match. */
  Count dead(DeadStore.Query query, Bound bound);
}
