package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.LedgerRow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The ledger: what became of every planned trigger. Rows are added and, much later, purged. */
public interface LedgerStore {

  /**
   * Adds rows.
   *
   * @throws DuplicateKeyException if an execution of one of the ids has ended before
   */
  void append(List<LedgerRow> rows);

  /** The rows of these ids. */
  List<LedgerRow> find(Collection<Long> ids);

  /** Those of these submission ids that the ledger knows. */
  Set<String> knownSubmissions(Collection<String> submissionIds);

  /** One of the rows that a submission has left, any one; empty if the ledger does not know it. */
  Optional<LedgerRow> findBySubmission(String submissionId);

  /**
   * The latest instant not after this one, beginning a run included, that the schedule of a job
   * planned and the ledger knows of: an instant by itself, or the last of a run of instants.
   */
  OptionalLong latestPlanned(long jobId, long until);

  /** Rows with an id above this one, in order of id. */
  List<LedgerRow> readAfter(long aboveId, int limit);

  /** All rows of one job, in order of planned time and id; a one-shot is its own job. */
  List<LedgerRow> findByJob(long jobId);
}
