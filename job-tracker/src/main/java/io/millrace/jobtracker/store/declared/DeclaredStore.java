package io.millrace.jobtracker.store.declared;

import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The owners of declared jobs, and what they declared last.
 *
 * <p>A transaction that handles a page first writes the row of the owner, which orders all
 * declarations of one owner, and then the rows of the jobs, which orders them with those of other
 * owners.
 */
public interface DeclaredStore {

  /**
   * An owner and the declaration that began last.
   *
   * @param revision the highest revision; null if the latest declaration had none
   * @param declarationId the declaration that began last; empty if none did
   * @param pages pages of it that were applied
   * @param jobs jobs in these pages
   */
  record Owner(String name, @Nullable Long revision, String declarationId, int pages, int jobs) {}

  /**
   * Writes the row of the owner, which need not exist, and reads it.
   *
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if another transaction has
   *     inserted it meanwhile
   */
  Owner lockOwner(String owner);

  /** Whether a declaration of this id has begun, as far as it is still recorded. */
  boolean hasBegun(String declarationId);

  /** Records that a declaration has begun. The caller has locked the owner. */
  void begin(String owner, String declarationId, @Nullable Long revision, long now);

  /** Records that a page of the latest declaration was applied. The caller has locked the owner. */
  void pageApplied(String owner, int pages, int jobs);

  /** Writes the rows of these task ids and reads them; missing ones are omitted. */
  List<DeclaredJob> lock(String nodeGroup, Collection<String> taskIds);

  /** What was declared last of a job, retired or not. */
  Optional<DeclaredJob> find(String nodeGroup, String taskId);

  /**
   * Inserts rows.
   *
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if a row of a key exists
   */
  void insert(List<DeclaredJob> rows);

  /** Writes a row over the one of its id, which the caller has locked. */
  void update(DeclaredJob row);

  /** Records that a declaration had these jobs, whose rows the caller has locked. */
  void mark(Collection<Long> ids, Latest latest);

  /** Jobs of the owner that are not retired and that this declaration did not have, by id. */
  List<DeclaredJob> findMissing(String owner, String declarationId, int limit);

  /** The jobs that a page of a declaration has retired, by id. */
  List<DeclaredJob> findRetired(String owner, String declarationId, int page);

  /**
   * Deletes the records of declarations that began before a time, the oldest first, at most limit;
   * returns how many there were.
   */
  int forget(long begunBefore, int limit);
}
