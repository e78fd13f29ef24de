package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ledger: what became of every planned trigger. Rows are added and, much later, purged. */
public interface LedgerStore {

  /**
   * Adds rows.
   *
   * @throws DuplicateKeyException if an execution of one of the ids has ended before
   */
  void append(List<LedgerEntry> rows);

  /** The rows of these ids. */
  List<LedgerEntry> find(Collection<Long> ids);

  /** What a submission asked for. */
  enum Asked {
    ONE_SHOT,
    RECURRING_JOB,
    /** A run beside the schedule of a recurring job. */
    EXTRA_RUN
  }

  /** What became of a submission: what it asked for, and under which key. */
  record SubmittedAs(String nodeGroup, String taskId, Asked asked) {}

  /**
   * What those of these submission ids came as that the ledger knows. A client that mints its ids
   * well uses each for one request, so the set has one element.
   */
  Map<String, Set<SubmittedAs>> knownSubmissions(Collection<String> submissionIds);

  /** One of the rows that a submission has left, any one; empty if the ledger does not know it. */
  Optional<LedgerEntry> findBySubmission(String submissionId);

  /**
   * The latest instant not after this one, beginning a run included, that the schedule of a job
   * planned and the ledger knows of: an instant by itself, or the last of a run of instants.
   */
  OptionalLong latestPlanned(long jobId, long until);

  /** Rows with an id above this one, in order of id. */
  List<LedgerEntry> readAfter(long aboveId, int limit);

  /**
   * A row, as far as its age goes.
   *
   * @param id says when the execution was claimed; a row that never ran was recorded then
   * @param finishedAt epoch milliseconds
   */
  record Ended(long id, long finishedAt) {}

  /** Rows with an id above one and below another, in order of id. */
  List<Ended> readEnds(long aboveId, long belowId, int limit);

  /**
   * The id of the row that is this many rows below an id, or empty if there are fewer. Costs that
   * many rows of a scan.
   */
  OptionalLong idBelow(long belowId, int rows);

  /** Deletes rows and returns how many there were. */
  int delete(Collection<Long> ids);

  /**
   * The triggers of a job, meant for an instant in (after, until], that have their disposition. A
   * run of instants that never became triggers counts by its first.
   */
  Set<TriggerKey> endedTriggers(long jobId, long after, long until);

  /** All rows of one job, in order of planned time and id; a one-shot is its own job. */
  List<LedgerEntry> findByJob(long jobId);

  /**
   * The rows of one job planned for an instant of these bounds, both included, latest planned time
   * and highest id first, at most limit.
   */
  List<LedgerEntry> findLatest(long jobId, long plannedFrom, long plannedTo, int limit);

  /**
   * What a search for the latest one-shot of a task id has come to.
   *
   * @param jobId of the one-shot; null if none was found
   * @param rows of the ledger that were looked at
   * @param backTo when the end was recorded that the oldest of these rows tells, in epoch
   *     milliseconds; null if the whole ledger was looked through
   */
  record OneShotSearch(@Nullable Long jobId, long rows, @Nullable Long backTo) {}

  /**
   * Looks through the newest rows of the ledger for a one-shot of this task id. The ledger has no
   * index on task ids, which it would pay for with every row it takes in; so this reads row after
   * row, {@code maxRows} at most.
   */
  OneShotSearch searchOneShot(String nodeGroup, String taskId, int maxRows);

  /**
   * Which rows to look for; null means whichever.
   *
   * @param nodeGroup those of this one
   * @param status those that ended so
   * @param workerId those that this worker had
   * @param fromId those of this id or a higher one: claimed, or recorded without a claim, then or
   *     later
   * @param belowId those of a lower id
   */
  record Search(
      @Nullable String nodeGroup,
      @Nullable LedgerStatus status,
      @Nullable String workerId,
      long fromId,
      long belowId) {}

  /**
   * What a search has come to.
   *
   * @param next the id below which to go on; null if there is nothing more
   */
  record Found(List<LedgerEntry> rows, @Nullable Long next) {}

  /**
   * Rows in falling order of id: what was claimed last comes first. It may find fewer than asked
   * for, or none, and yet have more to look at.
   *
   * @param limit of rows found
   * @param lookAt of rows looked at, however few of them are wanted
   */
  Found search(Search search, int limit, int lookAt);

  /**
   * A place in the rows of a job, in falling order of planned time and id: just behind this row.
   */
  record Place(long plannedFor, long id) {

    /** Before all rows. */
    public static final Place START = new Place(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * What a search among the rows of a job has come to.
   *
   * @param next where to go on; null if there is nothing more
   */
  record FoundOfJob(List<LedgerEntry> rows, @Nullable Place next) {}

  /**
   * Rows of one job behind a place, in falling order of planned time and id. It may find fewer than
   * asked for, or none, and yet have more to look at.
   *
   * @param limit of rows found
   * @param lookAt of rows looked at, however few of them are wanted
   */
  FoundOfJob searchJob(long jobId, Search search, Place behind, int limit, int lookAt);
}
