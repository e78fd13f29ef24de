package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.Direction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of recurring jobs.
 *
 * <p>Every transaction that inserts a waiting row of a recurring job, or edits the job, first
 * <em>writes</em> the job's row by one of the methods here that report success, and continues only
 * on success. The row is the lock, and clusters that certify writes honour a write as a lock too.
 */
public interface JobStore {

  /**
   * Inserts a definition.
   *
   * @throws DuplicateKeyException if a row of its node group and task id exists, live or not
   */
  void insert(JobDefinition job);

  /**
   * Inserts definitions.
   *
   * @throws DuplicateKeyException if a row of one's node group and task id exists, live or not
   */
  void insertAll(List<JobDefinition> jobs);

  /** The definition of this id, with all its parameters. */
  Optional<JobDefinition> find(long id);

  /** The definition of this task id, live or not, with all its parameters. */
  Optional<JobDefinition> find(String nodeGroup, String taskId);

  /** The definitions of these task ids, live or not, larger parameters left in the store. */
  List<JobDefinition> findByTasks(String nodeGroup, Collection<String> taskIds);

  /**
   * A job without its task.
   *
   * @param running the number of running triggers; kept only while one may run at a time
   * @param queued the number of triggers that wait for their turn
   */
  record ListedJob(long id, String taskId, int version, JobState state, int running, int queued) {}

  /** The jobs of a node group with a task id above this one, live or not, in order of task id. */
  List<ListedJob> list(String nodeGroup, String aboveTaskId, int limit);

  /** The jobs of these ids, live or not; missing ones are omitted. */
  List<ListedJob> list(Collection<Long> ids);

  /**
   * The conditions of a search; null means any.
   *
   * @param nodeGroup those of this node group
   * @param prefix those whose task id has this prefix, found by the index
   * @param contained those whose task id contains this, ignoring case
   * @param state those in this state
   * @param handler those that run this handler
   * @param owner those that this owner declares
   */
  record Search(
      @Nullable String nodeGroup,
      @Nullable String prefix,
      @Nullable String contained,
      @Nullable JobState state,
      @Nullable String handler,
      @Nullable String owner) {

    /** A search for the jobs of any owner, or of none. */
    public Search(
        @Nullable String nodeGroup,
        @Nullable String prefix,
        @Nullable String contained,
        @Nullable JobState state,
        @Nullable String handler) {
      this(nodeGroup, prefix, contained, state, handler, null);
    }
  }

  /** A place in the order of node group and task id: directly beside a job of this key. */
  record Place(String nodeGroup, String taskId) {

    /** Below all jobs. */
    public static final Place START = new Place("", "");
  }

  /**
   * A job, its parameters left in the store.
   *
   * @param turns the numbers of its running and waiting triggers
   * @param owner who declares it; null if nobody does
   */
  record FoundJob(JobDefinition job, RunCounts turns, @Nullable String owner) {}

  /**
   * The result of a search.
   *
   * @param next the place behind which to continue; null if there are no more jobs
   */
  record FoundJobs(List<FoundJob> jobs, @Nullable Place next) {}

  /**
   * Returns jobs behind a place, live or not, in order of node group and task id. A page may be
   * short or empty although jobs remain.
   *
   * @param behind null for the beginning, in either direction
   * @param limit the maximum of jobs found
   * @param lookAt the maximum of jobs read, whether they match or not
   */
  FoundJobs search(
      Search search, Direction direction, @Nullable Place behind, int limit, int lookAt);

  /** As {@link #search(Search, Direction, Place, int, int)}, in ascending order. */
  default FoundJobs search(Search search, Place behind, int limit, int lookAt) {
    return search(search, Direction.ASCENDING, behind, limit, lookAt);
  }

  /**
   * Returns active jobs that are due for generation, earliest first, larger parameters left in the
   * store.
   */
  List<JobDefinition> findToGenerate(String nodeGroup, long now, int limit);

  /**
   * Returns the earliest generation time of all active jobs of the group, or null if there is none.
   */
  @Nullable Long nextGenerateAt(String nodeGroup);

  /**
   * Replaces the row of the definition's id, if that row still has the expected version. Parameters
   * that were left in the store stay there.
   *
   * @return false if the version has changed
   */
  boolean replace(JobDefinition next, int expectedVersion);

  /**
   * Stores the generation mark of the job, if it is active and has this version.
   *
   * @return false if the job is not active or has another version
   */
  boolean advance(JobDefinition advanced);

  /**
   * An advance of a job's generation mark.
   *
   * @param from the mark from which it was generated
   * @param job with its new mark
   */
  record Advance(long from, JobDefinition job) {}

  /**
   * Stores the generation marks of those of these jobs that are active, have this version and still
   * have the mark from which they were generated. Writes in order of id.
   *
   * @return the number of jobs written. If it is lower than the number given, another transaction
   *     has changed one of them first, and the caller's transaction must not commit
   */
  int advanceAll(Collection<Advance> advances);

  /**
   * A job whose row the transaction has written: the row stays unchanged until the transaction
   * ends.
   *
   * @param version of its definition
   * @param state the state of the job
   * @param running the number of running triggers; kept only while one may run at a time
   * @param queued the number of triggers that wait for their turn
   */
  record LockedJob(long id, int version, JobState state, int running, int queued) {}

  /** Writes the rows of these jobs, in order of id, and returns the existing jobs by id. */
  Map<Long, LockedJob> lock(Collection<Long> ids);

  /**
   * Returns the current run counts of the job without locking its row; zero if the job does not
   * exist.
   */
  RunCounts turns(long id);

  /**
   * Returns task ids of live jobs near this one in alphabetical order, including this one. Reads at
   * most this many rows in each direction, including those of ended jobs.
   */
  Set<String> liveTasksNear(String nodeGroup, String taskId, int rows);

  /** Returns those of these node groups that have a live job of this task id. */
  Set<String> groupsWithTask(Collection<String> nodeGroups, String taskId);

  /**
   * Stores how many triggers of a job run and wait for their turn. The caller has locked the row.
   */
  default void setTurns(long id, int running, int queued) {
    setTurns(Map.of(id, new RunCounts(running, queued)));
  }

  /** Stores the run counts of many jobs, by id. The caller has locked their rows. */
  void setTurns(Map<Long, RunCounts> turns);

  /**
   * Counts one more extra trigger of a job and returns its ordinal. The caller has locked the row.
   */
  int nextExtra(long id);

  /**
   * Records the submission of a job version that is being replaced. The caller has locked the job's
   * row.
   */
  void rememberSubmission(long id, int version, String submissionId, long now);

  /**
   * Whether a former version of a job came by this submission, as far as submissions are still
   * recorded.
   */
  boolean remembersSubmission(long id, String submissionId);

  /**
   * Deletes the recorded submissions of versions that were replaced before a time, the oldest
   * first, at most limit; returns how many there were. Rows without a replacement time, which a
   * tracker of a former version wrote, count as replaced now.
   */
  int forgetSubmissions(long replacedBefore, int limit, long now);
}
