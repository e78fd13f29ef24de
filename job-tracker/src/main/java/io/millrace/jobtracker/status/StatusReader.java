package io.millrace.jobtracker.status;

import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.snapshot.Fires;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.LedgerStore.Asked;
import io.millrace.jobtracker.store.LedgerStore.SubmittedAs;
import io.millrace.jobtracker.store.Stores;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the status of jobs, in the order in which a trigger moves: waiting rows, runs, then the
 * ledger. A trigger that comes back meanwhile has left a row in the ledger; then it is read again.
 * Submits are found as resends are: by task id while they live, in the ledger by the index over
 * submission ids. Stateless.
 */
final class StatusReader {
  private static final int ROUNDS = 3;

  /** How many of the latest rows of a job are searched for an end; the others are attempts. */
  private static final int LATEST_ROWS = 20;

  private final Stores stores;
  private final Clock clock;
  private final ZoneId defaultZone;
  private final EndedJobs ended;

  StatusReader(Stores stores, Clock clock, ZoneId defaultZone, EndedJobs ended) {
    this.stores = stores;
    this.clock = clock;
    this.ended = ended;
    this.defaultZone = defaultZone;
  }

  /** The status of the job that lives under a key, or of the recurring job that ended there. */
  JobStatus byKey(String nodeGroup, String taskId) {
    if (stores.nodeGroups().find(nodeGroup).isEmpty()) {
      return StatusAnswers.notKnown(nodeGroup, taskId, null, clock.millis());
    }
    for (int round = 0; round < ROUNDS; round++) {
      JobDefinition job = find(nodeGroup, taskId);
      if (job != null && job.state().isLive()) {
        return ofJob(job);
      }
      JobStatus oneShot = liveOneShot(nodeGroup, taskId);
      if (oneShot != null) {
        return oneShot;
      }
      if (job != null) {
        return ofJob(job);
      }
    }
    return StatusAnswers.notKnown(nodeGroup, taskId, null, clock.millis());
  }

  private @Nullable JobDefinition find(String nodeGroup, String taskId) {
    return stores.jobs().findByTasks(nodeGroup, List.of(taskId)).stream().findFirst().orElse(null);
  }

  private @Nullable JobStatus liveOneShot(String nodeGroup, String taskId) {
    long now = clock.millis();
    for (WaitingTrigger row : stores.waiting().findOneShots(nodeGroup, List.of(taskId))) {
      if (row.spec() != null) {
        return StatusAnswers.waiting(nodeGroup, row.spec().submissionId(), row, now);
      }
    }
    for (Execution row : stores.runs().findByTasks(nodeGroup, List.of(taskId))) {
      if (!row.isOfRecurringJob()) {
        return StatusAnswers.running(row, batches(List.of(row)).get(row.id()), now);
      }
    }
    return null;
  }

  private JobStatus ofJob(JobDefinition job) {
    long now = clock.millis();
    List<Execution> runs =
        stores.runs().findByTask(job.nodeGroup(), job.taskId(), JobStatus.MAX_EXECUTIONS);
    Map<Long, Batch> batches = batches(runs);
    List<JobStatus.Execution> executions =
        runs.stream().map(row -> StatusAnswers.execution(row, batches.get(row.id()))).toList();
    return new JobStatus(
        job.nodeGroup(),
        job.taskId(),
        job.spec().submissionId(),
        StatusAnswers.stateOf(job.state()),
        StatusAnswers.at(now),
        job.state() == JobState.ACTIVE ? fireTimes(job, now) : List.of(),
        executions,
        lastEnd(job));
  }

  /** Those of the runs that were split, by id; one that ends meanwhile is shown without parts. */
  private Map<Long, Batch> batches(List<Execution> runs) {
    return SplitRuns.of(stores, runs);
  }

  private List<Instant> fireTimes(JobDefinition job, long now) {
    List<Long> times =
        job.spec().chained()
            ? stores
                .waiting()
                .findByTask(job.nodeGroup(), job.taskId(), now + 1, JobStatus.MAX_FIRE_TIMES)
                .stream()
                .filter(row -> !row.key().isExtra())
                .map(WaitingTrigger::plannedFor)
                .toList()
            : Fires.of(job, defaultZone).between(now, Long.MAX_VALUE, JobStatus.MAX_FIRE_TIMES);
    return times.stream().map(StatusAnswers::at).toList();
  }

  private @Nullable TriggerResult lastEnd(JobDefinition job) {
    return ended.firstEnd(stores.ledger().findLatest(job.id(), 0, Long.MAX_VALUE, LATEST_ROWS));
  }

  /**
   * The status of one submit.
   *
   * @throws RpcException UNAVAILABLE if the trigger moved whenever it was looked for
   */
  JobStatus byHandle(JobHandle handle) {
    boolean hasGroup = stores.nodeGroups().find(handle.nodeGroup()).isPresent();
    for (int round = 0; round < ROUNDS; round++) {
      JobStatus status = hasGroup ? live(handle) : null;
      status = status == null ? inLedger(handle) : status;
      if (status != null) {
        return status;
      }
    }
    throw new RpcException(ErrorCode.UNAVAILABLE, handle + " moves now; try again");
  }

  /** The status of a submit that waits, runs, or is of a recurring job; otherwise null. */
  private @Nullable JobStatus live(JobHandle handle) {
    String group = handle.nodeGroup();
    String task = handle.taskId();
    JobDefinition job = find(group, task);
    if (job != null && isOf(job, handle)) {
      return ofJob(job);
    }
    long now = clock.millis();
    List<WaitingTrigger> waiting =
        job == null
            ? stores.waiting().findOneShots(group, List.of(task))
            : stores.waiting().findByTask(group, task);
    for (WaitingTrigger row : waiting) {
      if (handle.submissionId().equals(submissionOf(row))) {
        return StatusAnswers.waiting(group, handle.submissionId(), row, now);
      }
    }
    for (Execution row : stores.runs().findByTasks(group, List.of(task))) {
      if (handle.submissionId().equals(submissionOf(row))) {
        return StatusAnswers.running(row, batches(List.of(row)).get(row.id()), now);
      }
    }
    return null;
  }

  private boolean isOf(JobDefinition job, JobHandle handle) {
    return job.spec().submissionId().equals(handle.submissionId())
        || stores.jobs().remembersSubmission(job.id(), handle.submissionId());
  }

  /** The submission of a one-shot or an extra run; null for a planned trigger of a job. */
  private static @Nullable String submissionOf(WaitingTrigger row) {
    if (row.submission() != null) {
      return row.submission().id();
    }
    return row.spec() == null ? null : row.spec().submissionId();
  }

  private static @Nullable String submissionOf(Execution row) {
    return isPlannedByJob(row.isOfRecurringJob(), row.key().isExtra())
        ? null
        : row.spec().submissionId();
  }

  private static boolean isPlannedByJob(boolean ofRecurringJob, boolean extra) {
    return ofRecurringJob && !extra;
  }

  /** The status by the ledger; null if the submit has begun and not ended. */
  private @Nullable JobStatus inLedger(JobHandle handle) {
    long now = clock.millis();
    LedgerEntry any =
        stores
            .ledger()
            .findBySubmission(handle.submissionId())
            .filter(row -> EndedJobs.isAbout(row, handle))
            .orElse(null);
    if (any == null || isPlannedByJob(any.isOfRecurringJob(), any.key().isExtra())) {
      // The definition of a recurring job stays, and remembers its submissions for a time.
      return StatusAnswers.notKnown(
          handle.nodeGroup(), handle.taskId(), handle.submissionId(), now);
    }
    return ended.answers(ended.find(List.of(handle))).stream().findFirst().orElse(null);
  }

  /**
   * The status of those of these submits that need not be awaited. If some have ended, only those,
   * as many as an answer may hold; the others are found when they are asked about again.
   */
  List<JobStatus> settled(List<JobHandle> handles) {
    List<JobStatus> ends = ended.someAnswers(ended.find(handles));
    if (!ends.isEmpty()) {
      return ends;
    }
    List<JobHandle> absent = new ArrayList<>();
    List<JobHandle> others = new ArrayList<>();
    Map<String, List<JobHandle>> byGroup =
        handles.stream().collect(Collectors.groupingBy(JobHandle::nodeGroup));
    byGroup.forEach((group, some) -> sort(group, some, absent, others));
    List<JobStatus> settled = new ArrayList<>(notKnown(absent, others));
    for (JobHandle handle : others) {
      JobStatus status = byHandle(handle);
      if (!isUnderWay(status)) {
        settled.add(status);
      }
    }
    return settled;
  }

  private static boolean isUnderWay(JobStatus status) {
    return status.state() == JobStatus.State.WAITING || status.state() == JobStatus.State.RUNNING;
  }

  /**
   * Finds those of these submits of a node group that neither wait nor run, in the order in which a
   * trigger moves. The number of reads does not depend on the number of submits.
   *
   * @param absent receives those whose task id has no recurring job
   * @param others receives those whose task id has one
   */
  private void sort(
      String group, List<JobHandle> some, List<JobHandle> absent, List<JobHandle> others) {
    if (stores.nodeGroups().find(group).isEmpty()) {
      absent.addAll(some);
      return;
    }
    List<String> tasks = some.stream().map(JobHandle::taskId).distinct().toList();
    Set<String> recurring =
        stores.jobs().findByTasks(group, tasks).stream()
            .map(JobDefinition::taskId)
            .collect(Collectors.toSet());
    Set<JobHandle> alive = new HashSet<>();
    stores.waiting().findOneShots(group, tasks).stream()
        .map(row -> handleOf(group, row.key().taskId(), submissionOf(row)))
        .forEach(alive::add);
    stores.runs().findByTasks(group, tasks).stream()
        .map(row -> handleOf(group, row.key().taskId(), submissionOf(row)))
        .forEach(alive::add);
    for (JobHandle handle : some) {
      if (!alive.contains(handle)) {
        (recurring.contains(handle.taskId()) ? others : absent).add(handle);
      }
    }
  }

  /**
   * The status of those of these absent submits that the ledger does not know.
   *
   * @param known receives the others: they have ended meanwhile, or have begun and move now
   */
  private List<JobStatus> notKnown(List<JobHandle> absent, List<JobHandle> known) {
    if (absent.isEmpty()) {
      return List.of();
    }
    Map<String, Set<SubmittedAs>> ledger =
        stores
            .ledger()
            .knownSubmissions(absent.stream().map(JobHandle::submissionId).distinct().toList());
    long now = clock.millis();
    List<JobStatus> unknown = new ArrayList<>();
    for (JobHandle handle : absent) {
      if (ledger.getOrDefault(handle.submissionId(), Set.of()).stream()
          .anyMatch(as -> isAbout(as, handle))) {
        known.add(handle);
      } else {
        unknown.add(
            StatusAnswers.notKnown(
                handle.nodeGroup(), handle.taskId(), handle.submissionId(), now));
      }
    }
    return unknown;
  }

  private static boolean isAbout(SubmittedAs as, JobHandle handle) {
    return as.asked() != Asked.RECURRING_JOB
        && as.nodeGroup().equals(handle.nodeGroup())
        && as.taskId().equals(handle.taskId());
  }

  private static JobHandle handleOf(String group, String taskId, @Nullable String submissionId) {
    return new JobHandle(group, taskId, submissionId == null ? "" : submissionId);
  }
}
