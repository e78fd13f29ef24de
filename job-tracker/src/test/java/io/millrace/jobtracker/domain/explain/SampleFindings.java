package io.millrace.jobtracker.domain.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.Job;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Former;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.snapshot.KeptState;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.snapshot.SplitRun;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the task id {@code a} of the node group {@code orders} at ten in the morning,
 * put together piece by piece. Times of day are in UTC.
 */
final class SampleFindings {
  static final long NOW = at("10:00:00");
  static final FactWriter WRITER = writer(null);

  private static final Pattern CHINESE = Pattern.compile("\\p{IsHan}");
  private static final Pattern ENGLISH =
      Pattern.compile("\\b(the|is|was|were|are|of|at|its|which|until|since|by|and|for|no)\\b");

  private static final Pattern UNREADABLE = Pattern.compile("(?<=无法读取它的调度规则：).*");

  private static final TriggerSpec SPEC = spec(false, null);

  private Serving serving =
      Serving.here(new GroupView(Set.of("worker-1", "worker-2"), 3, false, false, Set.of()));
  private long dueInGroup = 1_204;
  private @Nullable JobDefinition job;
  private @Nullable DeclaredJob declared;
  private RunCounts turns = new RunCounts(0, 0);
  private final List<WaitingTrigger> waiting = new ArrayList<>();
  private final List<WaitingTrigger> coming = new ArrayList<>();
  private final List<Execution> executing = new ArrayList<>();
  private final List<SplitRun> splits = new ArrayList<>();
  private final List<LedgerEntry> ends = new ArrayList<>();
  private final List<DeadTrigger> dead = new ArrayList<>();
  private final Map<Long, Integer> resultBytes = new HashMap<>();
  private final List<KeptState> kept = new ArrayList<>();
  private long ids = 100;

  static FactWriter writer(@Nullable Duration priorityAgeing) {
    return new FactWriter(
        new Timing(
            ZoneOffset.UTC,
            Duration.ofSeconds(60),
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            priorityAgeing,
            Duration.ofMinutes(1)));
  }

  /** A time of this day. */
  static long at(String timeOfDay) {
    return Instant.parse("2026-03-02T" + timeOfDay + "Z").toEpochMilli();
  }

  static TriggerSpec spec(boolean chained, @Nullable OverlapPolicy overlap) {
    return new TriggerSpec(
        "mail",
        RetryPolicy.retries(3),
        null,
        overlap,
        null,
        chained,
        false,
        "shop",
        "submission-1",
        "client-1",
        null,
        null);
  }

  SampleFindings servedBy(Serving by) {
    serving = by;
    return this;
  }

  SampleFindings workers(int workers, int freeSlots) {
    Set<String> all = Set.of("worker-1", "worker-2");
    return servedBy(
        Serving.here(
            new GroupView(workers == 0 ? Set.of() : all, freeSlots, false, false, Set.of())));
  }

  SampleFindings dueInGroup(long due) {
    dueInGroup = due;
    return this;
  }

  /** A job accepted at nine, of which triggers exist up to ten past ten. */
  /** That an application declared the job, which was stored under this submission id. */
  SampleFindings declared(
      @Nullable Long revision, String submissionId, @Nullable Retirement retirement) {
    declared =
        new DeclaredJob(
            8,
            "orders",
            "a",
            new Latest("shop", revision, "d-1", 0, Change.ADDED, null),
            DeclaredDefinition.of(Job.builder("orders", "a").cron("@daily").build(), ""),
            submissionId,
            at("08:00:00"),
            retirement,
            Former.NONE);
    return this;
  }

  SampleFindings job(Schedule schedule) {
    return job(schedule, JobState.ACTIVE, SPEC, null);
  }

  SampleFindings job(Schedule schedule, TriggerSpec spec) {
    return job(schedule, JobState.ACTIVE, spec, null);
  }

  SampleFindings job(Schedule schedule, JobState state, TriggerSpec spec, @Nullable Pause pause) {
    Long generateAt = spec.chained() || state != JobState.ACTIVE ? null : at("10:09:00");
    return job(schedule, state, spec, pause, generateAt, false);
  }

  SampleFindings job(
      Schedule schedule,
      JobState state,
      TriggerSpec spec,
      @Nullable Pause pause,
      @Nullable Long generateAt,
      boolean exhausted) {
    job =
        new JobDefinition(
            7,
            "orders",
            "a",
            2,
            state,
            schedule,
            spec,
            StoredParams.NONE,
            100,
            at("09:00:00"),
            at("10:10:00"),
            generateAt,
            3,
            exhausted,
            pause);
    return this;
  }

  SampleFindings turns(int running, int queued) {
    turns = new RunCounts(running, queued);
    return this;
  }

  SampleFindings oneShotWaits(long dueAt, int attempt) {
    waiting.add(
        new WaitingTrigger(
            ids++,
            new TriggerCore(TriggerKey.oneShot("a"), 5, 0, at("09:59:00"), attempt),
            dueAt,
            100,
            at("09:58:00"),
            SPEC,
            StoredParams.NONE,
            attempt > 1,
            null,
            null));
    return this;
  }

  /** A one-shot that requires labels of a worker waits. */
  SampleFindings oneShotRequires(long dueAt, String... labels) {
    TriggerSpec spec = SPEC.in(new Lane(3, List.of(labels)));
    waiting.add(
        WaitingTrigger.oneShot(ids++, "a", dueAt, 100, at("09:58:00"), spec, StoredParams.NONE));
    return this;
  }

  /** A trigger that its schedule planned; those planned for later are coming, too. */
  SampleFindings waits(long plannedAt) {
    return waits(TriggerKey.planned("a", plannedAt), plannedAt, 1, false);
  }

  SampleFindings held(long plannedAt) {
    return waits(TriggerKey.planned("a", plannedAt), WaitingTrigger.HELD, 1, false);
  }

  SampleFindings waits(TriggerKey key, long dueAt, int attempt, boolean begun) {
    WaitingTrigger row =
        new WaitingTrigger(
            ids++,
            new TriggerCore(key, 7, 2, key.plannedAt(), attempt),
            dueAt,
            100,
            at("09:50:00"),
            null,
            StoredParams.NONE,
            begun,
            null,
            null);
    waiting.add(row);
    if (key.plannedAt() > NOW) {
      coming.add(row);
    }
    return this;
  }

  SampleFindings runs(TriggerKey key, String worker, long claimedAt, boolean stopRequested) {
    executing.add(
        new Execution(
            ids++,
            "orders",
            new TriggerCore(
                key,
                key.plannedAt() == 0 ? 5 : 7,
                key.plannedAt() == 0 ? 0 : 2,
                key.plannedAt(),
                2),
            claimedAt - 10,
            100,
            at("09:50:00"),
            SPEC,
            StoredParams.NONE,
            worker,
            claimedAt,
            stopRequested,
            true,
            null));
    return this;
  }

  /** The end of an attempt that was claimed three and a half seconds before. */
  SampleFindings ended(
      TriggerKey key, LedgerStatus status, long finishedAt, Cause cause, String message) {
    return ended(key, key.plannedAt(), 1, status, finishedAt, "worker-1", cause, message);
  }

  SampleFindings skipped(long from, long to, long instants, long finishedAt, Cause cause) {
    return ended(
        TriggerKey.planned("a", from),
        to,
        instants,
        LedgerStatus.SKIPPED,
        finishedAt,
        null,
        cause,
        null);
  }

  private SampleFindings ended(
      TriggerKey key,
      long plannedTo,
      long instants,
      LedgerStatus status,
      long finishedAt,
      @Nullable String worker,
      @Nullable Cause cause,
      @Nullable String message) {
    ends.add(
        0,
        new LedgerEntry(
            ids++,
            "orders",
            new TriggerCore(
                key,
                key.plannedAt() == 0 ? 5 : 7,
                key.plannedAt() == 0 ? 0 : 2,
                key.plannedAt(),
                worker == null ? 0 : 1),
            status,
            true,
            cause,
            plannedTo,
            instants,
            new Times(
                finishedAt - 3_512,
                at("09:50:00"),
                worker == null ? null : finishedAt - 3_500,
                null,
                finishedAt),
            worker,
            message,
            new Origin("mail", "submission-1", "client-1", null, null)));
    return this;
  }

  /** What is kept of the dead trigger that was told of last, and what was done about it. */
  SampleFindings kept(@Nullable Settlement settlement) {
    LedgerEntry end = ends.get(0);
    dead.add(
        new DeadTrigger(
            end.id(),
            "orders",
            new TriggerCore(end.key(), end.jobId(), end.jobVersion(), end.plannedFor(), 1),
            100,
            end.times().finishedAt(),
            end.cause(),
            end.jobVersion() == 0 ? SPEC : null,
            StoredParams.NONE,
            null,
            null,
            settlement));
    return this;
  }

  /** The length of what the execution returned whose end was told of last. */
  SampleFindings returning(int bytes) {
    resultBytes.put(ends.get(0).id(), bytes);
    return this;
  }

  /** The run that was told of last was split, and its parts are so far. */
  SampleFindings split(PartCounts counts, @Nullable BatchStop stop) {
    Execution run = executing.get(executing.size() - 1);
    Batch open = Batch.opened(run, BatchKind.SHARDS, counts.total()).with(counts);
    Batch batch = stop == null ? open : open.stopped(stop, 0);
    splits.add(new SplitRun(batch, List.of(), List.of()));
    return this;
  }

  /** How far the execution that was told of last has come. */
  SampleFindings keeping(int steps, @Nullable Long checkpointAt, KeptState.@Nullable Progress of) {
    long id = executing.get(executing.size() - 1).id();
    kept.add(new KeptState(id, steps, "1", NOW - 5_000, checkpointAt, of));
    return this;
  }

  /** The steps that are done of the trigger whose row, waiting or ended, was told of last. */
  SampleFindings withSteps(int steps) {
    kept.add(new KeptState(ids - 1, steps, "1", NOW - 5_000, null, null));
    return this;
  }

  TaskSnapshot read() {
    return new TaskSnapshot(
        "orders",
        "a",
        NOW,
        serving,
        dueInGroup,
        job,
        declared,
        turns,
        waiting,
        coming,
        executing,
        splits,
        null,
        ends,
        dead,
        resultBytes,
        kept,
        List.of());
  }

  List<Fact> facts() {
    List<Fact> facts = WRITER.write(read(), Locale.ENGLISH, null);
    requireTheSameInChinese(facts);
    return facts;
  }

  /** The facts in Chinese; what they say is for the reader to judge. */
  List<String> chinese() {
    return WRITER.write(read(), Locale.CHINESE, null).stream().map(Fact::text).toList();
  }

  /** Whatever is told in English is told in Chinese: as many facts, and no word of English left. */
  private void requireTheSameInChinese(List<Fact> facts) {
    List<Fact> chinese = WRITER.write(read(), Locale.CHINESE, null);
    assertThat(chinese).extracting(Fact::kind).isEqualTo(facts.stream().map(Fact::kind).toList());
    assertThat(chinese).extracting(Fact::at).isEqualTo(facts.stream().map(Fact::at).toList());
    assertThat(chinese)
        .extracting(fact -> withoutMessages(fact.text()))
        .allSatisfy(
            text -> assertThat(text).containsPattern(CHINESE).doesNotContainPattern(ENGLISH));
  }

  /** What jobs have said, and why a schedule cannot be read, stays as it is. */
  private String withoutMessages(String text) {
    String without = UNREADABLE.matcher(text).replaceAll("");
    for (LedgerEntry end : ends) {
      without = without.replace(Words.quoted(end.message()), "");
    }
    return without;
  }

  /** What the facts of a kind say. */
  List<String> texts(FactKind kind) {
    return facts().stream().filter(fact -> fact.kind() == kind).map(Fact::text).toList();
  }

  List<FactKind> kinds() {
    return facts().stream().map(Fact::kind).toList();
  }
}
