package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of recurring jobs.
 *
 * <p>Every transaction that inserts a waiting row of a recurring job, or edits the job, first
 * <em>writes</em> the job's row by one of the methods here that return a success, and goes on only
 * on success: the row is the lock, and a write is a lock that certifying clusters honour too.
 */
public interface JobStore {

  /**
   * Inserts a definition.
   *
   * @throws DuplicateKeyException if a row of its node group and task id exists, live or not
   */
  void insert(JobDefinition job);

  /** The definition of this id, with all its parameters. */
  Optional<JobDefinition> find(long id);

  /** The definition of this task id, live or not, with all its parameters. */
  Optional<JobDefinition> find(String nodeGroup, String taskId);

  /** The definitions of these task ids, live or not, larger parameters left in the store. */
  List<JobDefinition> findByTasks(String nodeGroup, Collection<String> taskIds);

  /**
   * A job without what it is to do.
   *
   * @param running triggers that run; kept only while one may run at a time
   * @param queued triggers that wait for their turn
   */
  record ListedJob(long id, String taskId, int version, JobState state, int running, int queued) {}

  /** The jobs of a node group with a task id above this one, live or not, in order of task id. */
  List<ListedJob> list(String nodeGroup, String aboveTaskId, int limit);

  /** The jobs of these ids, live or not; those that do not exist are left out. */
  List<ListedJob> list(Collection<Long> ids);

  /**
   * Which jobs to look for; null means whichever.
   *
   * @param nodeGroup those of this one
   * @param prefix those whose task id begins so: found by the index
   * @param contained those whose task id contains this, in whatever case
   * @param state those in this state
   * @param handler those that this runner runs
   */
  record Search(
      @Nullable String nodeGroup,
      @Nullable String prefix,
      @Nullable String contained,
      @Nullable JobState state,
      @Nullable String handler) {}

  /** A place in the order of node group and task id: just behind a job of this key. */
  record Place(String nodeGroup, String taskId) {

    /** Before all jobs. */
    public static final Place START = new Place("", "");
  }

  /** A job, its parameters left in the store, and how many of its triggers run and wait. */
  record FoundJob(JobDefinition job, RunCounts turns) {}

  /**
   * What a search has come to.
   *
   * @param next where to go on; null if there is nothing more
   */
  record FoundJobs(List<FoundJob> jobs, @Nullable Place next) {}

  /**
   * Jobs behind a place, live or not, in order of node group and task id. It may find fewer than
   * asked for, or none, and yet have more to look at.
   *
   * @param limit of jobs found
   * @param lookAt of jobs looked at, however few of them are wanted
   */
  FoundJobs search(Search search, Place behind, int limit, int lookAt);

  /**
   * Active jobs whose time to generate has come, earliest first, larger parameters left in the
   * store.
   */
  List<JobDefinition> findToGenerate(String nodeGroup, long now, int limit);

  /** The earliest time to generate of any active job of the group, or null if there is none. */
  @Nullable Long nextGenerateAt(String nodeGroup);

  /**
   * Puts the new definition in the place of the row with its id, if that row still has this
   * version. Parameters that were left in the store stay there.
   *
   * @return false if the version has moved on
   */
  boolean replace(JobDefinition next, int expectedVersion);

  /**
   * Stores how far the job has been generated, if it is active and has this version.
   *
   * @return false if it is not
   */
  boolean advance(JobDefinition advanced);

  /**
   * How far a job was generated.
   *
   * @param from the mark that it was generated from
   * @param job with its new mark
   */
  record Advance(long from, JobDefinition job) {}

  /**
   * Stores how far jobs have been generated: of each that is active, has this version and still
   * stands at the mark that it was generated from. Writes in order of id.
   *
   * @return how many they were. If fewer than were given, somebody was faster with one of them, and
   *     the caller's transaction must not commit
   */
  int advanceAll(Collection<Advance> advances);

  /**
   * A job whose row the transaction has written: it stays so until the transaction is over.
   *
   * @param version of its definition
   * @param state where it is in its life
   * @param running triggers that run; kept only while one may run at a time
   * @param queued triggers that wait for their turn
   */
  record LockedJob(long id, int version, JobState state, int running, int queued) {}

  /** Writes the rows of these jobs, in order of id, and returns those there are, by id. */
  Map<Long, LockedJob> lock(Collection<Long> ids);

  /**
   * Writes the rows of these jobs, by id and version, in order of id, and returns the ids of those
   * that are active in that version; the others were edited, paused or ended.
   */
  default Set<Long> lockActive(Map<Long, Integer> versionById) {
    return lock(versionById.keySet()).values().stream()
        .filter(job -> job.state() == JobState.ACTIVE)
        .filter(job -> versionById.getOrDefault(job.id(), 0) == job.version())
        .map(LockedJob::id)
        .collect(Collectors.toSet());
  }

  /** The turns of the job as they are now, without a lock on its row; none if there is no job. */
  RunCounts turns(long id);

  /**
   * Task ids of live jobs near this one in the alphabet, itself included. Reads this many rows in
   * each direction at most, those of ended jobs among them.
   */
  Set<String> liveTasksNear(String nodeGroup, String taskId, int rows);

  /** Those of these node groups that have a live job of this task id. */
  Set<String> groupsWithTask(Collection<String> nodeGroups, String taskId);

  /** Stores how many triggers of a job run and wait for their turn; its row is locked. */
  void setTurns(long id, int running, int queued);

  /** The same of many jobs, by id, whose rows are locked. */
  void setTurns(Map<Long, RunCounts> turns);

  /** Counts one more extra trigger of a job, whose row is locked, and returns its ordinal. */
  int nextExtra(long id);

  /**
   * Remembers by which submission a version of a job came that is being replaced. The job's row is
   * locked.
   */
  void rememberSubmission(long id, int version, String submissionId, long now);

  /** Whether a former version of a job came by this submission, as far back as is remembered. */
  boolean remembersSubmission(long id, String submissionId);

  /**
   * Forgets the submissions of versions that were replaced before a time, the oldest first, at most
   * limit; returns how many there were. Those of which it is not known when they were replaced, as
   * a tracker of a former version wrote them, count as replaced now.
   */
  int forgetSubmissions(long replacedBefore, int limit, long now);
}
