package io.millrace.jobtracker.store.console;

import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes that operators requested, and accepted and refused sign-ins. Entries are added; only
 * their outcome is written later, once; old entries are deleted.
 */
public interface AuditStore {

  /**
   * A requested change, or a sign-in.
   *
   * @param askedAt epoch milliseconds
   * @param operator name of the token of the request; {@code -} if the token is not known
   * @param address the address that sent the request
   * @param action the operation
   * @param target the object of the operation
   * @param job the job that is to change, as {@code GROUP/TASKID}; null if there is none
   * @param detail the body of the request; null if it had none, or contains a secret
   * @param status HTTP status of the answer; null if the process ended before there was one
   * @param outcome why it was refused or failed; null if it succeeded
   */
  record Entry(
      long id,
      long askedAt,
      String operator,
      Role role,
      String address,
      String action,
      String target,
      @Nullable String job,
      @Nullable String detail,
      @Nullable Integer status,
      @Nullable String outcome) {}

  /** Adds an entry. Long texts are truncated. */
  void append(Entry entry);

  /** Writes the outcome of an entry that has none yet. */
  void conclude(long id, int status, @Nullable String outcome);

  /**
   * The conditions of a search.
   *
   * @param operator those of this operator; null for any
   * @param action those of this operation; null for any
   * @param job those of this job, as {@code GROUP/TASKID}; null for any
   */
  record Query(@Nullable String operator, @Nullable String action, @Nullable String job) {}

  /**
   * A page of a search.
   *
   * @param next the id behind which to continue; null if there are no more entries
   */
  record Found(List<Entry> entries, @Nullable Long next) {}

  /**
   * Returns the first matching entries behind an id, at most limit, among the first {@code lookAt};
   * with a job, among those of the job.
   */
  Found search(Query query, AgeOrder order, long behindId, int limit, int lookAt);

  /** Deletes entries below an id, the oldest first, at most limit; returns how many there were. */
  int deleteBelow(long belowId, int limit);
}
