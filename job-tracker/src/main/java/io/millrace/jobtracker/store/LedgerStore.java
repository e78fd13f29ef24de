package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ledger: the outcome of every planned trigger. Rows are added and, much later, purged. */
public interface LedgerStore {

  /**
   * Adds rows.
   *
   * @throws DuplicateKeyException if an execution of one of the ids has ended before
   */
  void append(List<LedgerEntry> rows);

  /** The rows of these ids. */
  List<LedgerEntry> find(Collection<Long> ids);

  /**
   * The beginnings of the messages of these rows, by id; omits rows without one.
   *
   * @param chars how much of each, which may end inside a character
   */
  Map<Long, String> beginningsOfMessages(Collection<Long> ids, int chars);

  /** The kind of request that a submission made. */
  enum Asked {
    ONE_SHOT,
    RECURRING_JOB,
    /** A run of a recurring job outside its schedule. */
    EXTRA_RUN
  }

  /** A submission as the ledger records it: the kind of request and its key. */
  record SubmittedAs(String nodeGroup, String taskId, Asked asked) {}

  /**
   * Returns how the ledger records these submission ids; omits unknown ones. A correct client uses
   * an id for one request only, so the set has one element.
   */
  Map<String, Set<SubmittedAs>> knownSubmissions(Collection<String> submissionIds);

  /** Returns any one row of a submission; empty if the ledger has none. */
  Optional<LedgerEntry> findBySubmission(String submissionId);

  /**
   * Returns the rows with which the triggers of these submissions ended: one-shots and extra runs;
   * omits those that have not ended, and the triggers that the schedules of jobs planned.
   */
  List<LedgerEntry> findEnds(Collection<String> submissionIds);

  /**
   * Returns the latest planned instant of a job's schedule in the ledger, from the row with the
   * latest start not after {@code until}: a single instant, or the last of a run of instants.
   */
  OptionalLong latestPlanned(long jobId, long until);

  /** Rows with an id above this one, in order of id. */
  List<LedgerEntry> readAfter(long aboveId, int limit);

  /**
   * The age of a row.
   *
   * @param id contains the time of the claim, or of the record if the trigger never ran
   * @param finishedAt epoch milliseconds
   */
  record Ended(long id, long finishedAt) {}

  /** Rows with an id above one and below another, in order of id. */
  List<Ended> readEnds(long aboveId, long belowId, int limit);

  /**
   * Returns the id of the row that is this many rows below an id, or empty if there are fewer.
   * Scans that many rows.
   */
  OptionalLong idBelow(long belowId, int rows);

  /** Deletes rows and returns how many there were. */
  int delete(Collection<Long> ids);

  /**
   * Returns the triggers of a job that are planned for an instant in (after, until] and have their
   * final disposition. A run of instants that never became triggers counts by its first instant.
   */
  Set<TriggerKey> endedTriggers(long jobId, long after, long until);

  /** All rows of one job, in order of planned time and id; a one-shot is its own job. */
  List<LedgerEntry> findByJob(long jobId);

  /** Returns how many parts of a run ended and how, by the rows that have not been purged. */
  PartEnds countEndsOfParts(long batchId);

  /**
   * Parts of a run that ended alike: from this number on.
   *
   * @param parts how many
   */
  record EndedParts(int first, int parts, LedgerStatus status) {}

  /** The ends of parts of a run, in no order, at most limit. */
  List<EndedParts> endsOfParts(long batchId, int limit);

  /**
   * The rows of one job planned for an instant of these bounds, both included, latest planned time
   * and highest id first, at most limit.
   */
  List<LedgerEntry> findLatest(long jobId, long plannedFrom, long plannedTo, int limit);

  /**
   * How one run of a job ended: what a list of jobs shows of it.
   *
   * @param id of the execution that ended it; of a run that never started, an id of its own
   * @param attempt number of the last attempt; 0 if it never started
   * @param dueAt when the last attempt could start at the earliest, in epoch milliseconds
   * @param startedAt of the last attempt, by the worker's clock; null if it is not known
   */
  record RunEnd(
      long id,
      long jobId,
      LedgerStatus status,
      int attempt,
      long plannedFor,
      long dueAt,
      @Nullable Long startedAt,
      long finishedAt) {}

  /**
   * Returns the ends of the latest runs of jobs by job id, latest planned time and highest id
   * first; omits jobs without any. Attempts after which another one waits are no ends.
   *
   * @param limit the maximum of ends of one job
   * @param lookAt the maximum of rows read of one job, whether they are ends or not
   */
  Map<Long, List<RunEnd>> findLatestEnds(Collection<Long> jobIds, int limit, int lookAt);

  /**
   * The result of a search for the latest one-shot of a task id.
   *
   * @param jobId the job id of the one-shot; null if none was found
   * @param rows the number of ledger rows read
   * @param backTo the earliest end recorded in the page read last, in epoch milliseconds; null if
   *     the whole ledger was searched without success
   */
  record OneShotSearch(@Nullable Long jobId, long rows, @Nullable Long backTo) {}

  /**
   * Searches the newest rows of the ledger for a one-shot of this task id. The ledger has no index
   * on task ids, because every insert would pay for it; so this scans at most {@code maxRows} rows.
   */
  OneShotSearch searchOneShot(String nodeGroup, String taskId, int maxRows);

  /**
   * The conditions of a search; null means any.
   *
   * @param nodeGroup those of this node group
   * @param statuses those that ended with one of these; empty for any
   * @param workerId those that this worker executed
   * @param fromId those of this id or a higher one: claimed, or recorded without a claim, then or
   *     later
   * @param belowId those of a lower id
   * @param endedFrom those whose end was recorded then or later, in epoch milliseconds
   * @param endedBefore those whose end was recorded earlier, in epoch milliseconds
   */
  record Search(
      @Nullable String nodeGroup,
      Set<LedgerStatus> statuses,
      @Nullable String workerId,
      long fromId,
      long belowId,
      long endedFrom,
      long endedBefore) {

    public Search {
      statuses = Set.copyOf(statuses);
    }

    /** Whenever they ended, with this status; null for any. */
    public Search(
        @Nullable String nodeGroup,
        @Nullable LedgerStatus status,
        @Nullable String workerId,
        long fromId,
        long belowId) {
      this(
          nodeGroup,
          status == null ? Set.of() : Set.of(status),
          workerId,
          fromId,
          belowId,
          Long.MIN_VALUE,
          Long.MAX_VALUE);
    }

    /** Whether it asks for when rows ended. */
    public boolean asksForEnds() {
      return endedFrom != Long.MIN_VALUE || endedBefore != Long.MAX_VALUE;
    }

    /** Returns the same search among ids from one on and below another. */
    public Search within(long from, long below) {
      return new Search(nodeGroup, statuses, workerId, from, below, endedFrom, endedBefore);
    }
  }

  /**
   * The result of a search.
   *
   * @param next the id below which to continue, or above which if the oldest come first; null if
   *     there are no more rows
   */
  record Found(List<LedgerEntry> rows, @Nullable Long next) {}

  /** The rows that match, the newest first. */
  default Found search(Search search, int limit, int lookAt) {
    return search(search, AgeOrder.NEWEST_FIRST, limit, lookAt);
  }

  /**
   * Returns rows in order of id: of the time of their claim. A page may be short or empty although
   * rows remain.
   *
   * @param limit the maximum of rows found
   * @param lookAt the maximum of rows read, whether they match or not
   */
  Found search(Search search, AgeOrder order, int limit, int lookAt);

  /** A place in the rows of a job, in order of planned time and id: directly behind this row. */
  record Place(long plannedFor, long id) {

    /** Before all rows, the newest first. */
    public static final Place START = new Place(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Before all rows in this order. */
    public static Place start(AgeOrder order) {
      return order == AgeOrder.NEWEST_FIRST ? START : new Place(Long.MIN_VALUE, Long.MIN_VALUE);
    }
  }

  /**
   * The result of a search among the rows of a job.
   *
   * @param next the place behind which to continue; null if there are no more rows
   */
  record FoundOfJob(List<LedgerEntry> rows, @Nullable Place next) {}

  /** The rows of one job that match behind a place, the latest planned first. */
  default FoundOfJob searchJob(long jobId, Search search, Place behind, int limit, int lookAt) {
    return searchJob(jobId, search, AgeOrder.NEWEST_FIRST, behind, limit, lookAt);
  }

  /**
   * Returns rows of one job behind a place, in order of planned time and id. A page may be short or
   * empty although rows remain.
   *
   * @param limit the maximum of rows found
   * @param lookAt the maximum of rows read, whether they match or not
   */
  FoundOfJob searchJob(
      long jobId, Search search, AgeOrder order, Place behind, int limit, int lookAt);
}
