package io.millrace.jobtracker.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.internal.rpc.memory.SimulatedFrame;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.PartResult;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The life of a small cluster in one thread and about a minute of its time: every request there is,
 * every way in which an execution ends, a worker that vanishes, and damage to repair. A tracker
 * that is halted is followed by a new one, and a client asks until it is answered.
 */
final class CrashScenario {
  static final Instant START = Instant.parse("2026-03-02T10:00:00.500Z");
  static final String GROUP = "orders";
  static final String REPLAY = "replay dies";

  /** Of a run that was split, without the part that succeeded. */
  static final String REPLAY_REST = "replay breaks";

  /** Of a dead part, while its run is under way. */
  static final String REPLAY_PART = "replay mends";

  private static final Map<String, String> REPLAYED =
      new TreeMap<>(
          Map.of(
              REPLAY, "task_id = 'dies'",
              REPLAY_REST, "task_id = 'breaks'",
              REPLAY_PART, "spec LIKE '%\"taskId\":\"mends\"%'"));

  /** A run whose parts make parts, and whose reduces sum up what they return. */
  static final String MAPS = "maps";

  /** The same without reduces, which is cancelled while the parts of a part run. */
  static final String BRANCHES = "branches";

  /** What the reduce of {@link #MAPS} returns: how many parts make none themselves. */
  static final int LEAVES = 3;

  /** A batch that never was. */
  static final long NO_BATCH = 7;

  private static final String IDLE = "idle";
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(3);
  private static final String TRACKER = "tracker:1";
  private static final String SUM = "sum";

  /** A part with this parameter makes parts. */
  private static final String SPLITS = "splits";

  /**
   * Of the worker that does not vanish: on the other, a handler could wait in vain for an answer.
   */
  private static final String STEADY = "steady";

  private static final Duration SHARD_RETRY = Duration.ofSeconds(10);
  private static final Duration MENDED = Duration.ofSeconds(5);
  private static final Duration MAPPED_AGAIN = Duration.ofMillis(500);
  private static final RetryPolicy UNTIL_MAPPED =
      RetryPolicy.retries(30).withDelays(MAPPED_AGAIN, MAPPED_AGAIN);
  private static final Duration RUN_TIME = Duration.ofSeconds(3);
  private static final Duration RESTART = Duration.ofMillis(500);
  private static final Duration QUIET_WITHIN = Duration.ofMinutes(3);

  /**
   * A store that cannot be reached now and then cuts most searches for what was left short, and the
   * wait after a failure is half a minute.
   */
  private static final Duration QUIET_WHILE_UNREACHABLE_WITHIN = Duration.ofMinutes(15);

  private static final ServiceConfig SERVICE =
      new ServiceConfig(
          Duration.ofSeconds(4),
          // Longer than a worker takes to notice that its tracker is gone, which is 8 s.
          new ServiceConfig.Workers(Duration.ofSeconds(12), Duration.ofSeconds(1)),
          ServiceConfig.Preload.DEFAULT,
          Duration.ofSeconds(12));
  private static final GenerationLimits GENERATION =
      new GenerationLimits(Duration.ofSeconds(30), 60, 1_000, Duration.ofSeconds(6));

  /** What a job returns that succeeds. */
  record Returned(String taskId, long executionId) {}

  /** Whatever it is that a worker has begun to run. */
  record Run(long executionId, String taskId, Instant dueAt, int attempt, Instant startedAt) {}

  final FragileDatabase database;
  final List<Run> runs = new ArrayList<>();
  final Map<String, SubmitResult> submits = new HashMap<>();
  final Map<String, Instant> asked = new HashMap<>();
  final Map<String, Instant> answered = new HashMap<>();
  final Map<String, Object> answers = new HashMap<>();

  private final FragileServer.Replies replies;
  private final ManualClock clock = new ManualClock(START);
  private final ManualTimer timer = new ManualTimer(clock);
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Set<String> vanished = new HashSet<>();
  private final InProcessNetwork network = new InProcessNetwork(timer, tasks::add, clock, 7);
  private final PersistentClient client;
  private Process process;
  private int processes;
  private boolean partsAreDamaged;

  CrashScenario(FragileDatabase database, FragileServer.Replies replies) {
    this.database = database;
    this.replies = replies;
    network.setPolicy(new Vanishing());
    process = new Process();
    process.start();
    this.client =
        new PersistentClient(
            network.connector(RpcConnectorConfig.of(NodeRole.CLIENT, "client-1", "shop", null)),
            TRACKER,
            timer,
            tasks::add);
    startWorker("worker-1", GROUP, STEADY);
    startWorker("worker-2", GROUP);
  }

  /** One process of a tracker, of which nothing is left when it ends. */
  private final class Process {
    private final FragileServer server;
    private final JobTracker tracker;
    private boolean alive = true;

    Process() {
      String id = "tracker-" + ++processes;
      this.server =
          new FragileServer(network.server(TRACKER, id, RoleTokens.NONE), replies, this::die);
      this.tracker =
          JobTracker.over(
              new TrackerSettings(
                  id,
                  ZoneOffset.UTC,
                  NodeGroupConfig.atMost(10),
                  GENERATION,
                  SERVICE,
                  RetentionConfig.DEFAULT,
                  QuotaConfig.DEFAULT),
              new TrackerRuntime(
                  database.stores(),
                  server,
                  new TimedExecutor(clock, timer, this::execute),
                  new Random(processes)));
    }

    private void execute(Runnable task) {
      tasks.add(
          () -> {
            if (alive) {
              task.run();
            }
          });
    }

    /** What would start a tracker on a machine starts it again when it ends. */
    void start() {
      try {
        tracker.start();
      } catch (RuntimeException | Halted e) {
        die();
        return;
      }
      var unused = tracker.terminated().whenComplete((stopped, why) -> die());
    }

    void die() {
      if (alive) {
        alive = false;
        server.die();
        var unused =
            timer.schedule(
                RESTART,
                tasks::add,
                () -> {
                  process = new Process();
                  process.start();
                });
      }
    }
  }

  private void startWorker(String id, String group, String... labels) {
    TaskTracker worker =
        TaskTracker.builder()
            .trackers(TRACKER)
            .id(id)
            .nodeGroup(group)
            .labels(labels)
            .slots(65)
            .runner(this::run)
            .handler(SUM, this::sum)
            .resources(
                new WorkerResources(
                    clock,
                    timer,
                    tasks::add,
                    invocation -> timer.schedule(RUN_TIME, tasks::add, invocation),
                    network.connector(RpcConnectorConfig.of(NodeRole.WORKER, id, group, null)),
                    tasks::add,
                    this::runUntilDone))
            .build();
    worker.start();
  }

  private void note(JobContext context) {
    runs.add(
        new Run(
            context.executionId(),
            context.taskId(),
            context.dueAt(),
            context.attempt(),
            clock.now()));
  }

  private Result sum(JobContext context) {
    note(context);
    int sum = 0;
    for (PartResult part : context.parts()) {
      sum += part.result(Integer.class).orElseThrow();
    }
    return Result.of(sum);
  }

  /** Makes two parts in two requests; the first of a run makes parts too. */
  private static boolean splits(JobContext context) {
    boolean isWhole = context.part() == 0;
    if (isWhole || context.params().containsKey(SPLITS)) {
      context.map(List.of(isWhole ? Map.of(SPLITS, true) : Map.of()));
      context.map(List.of(Map.of()));
      return true;
    }
    return false;
  }

  private Result run(JobContext context) {
    note(context);
    switch (context.taskId()) {
      case "once" -> context.checkpoint(context.attempt());
      case "flaky" -> {
        context.logger().info("attempt " + context.attempt());
        if (context.attempt() == 1) {
          throw new IllegalStateException("not yet");
        }
      }
      case "fails" -> {
        return Result.failed("no use");
      }
      case "later" -> {
        if (runs.stream().filter(run -> run.taskId().equals("later")).count() == 1) {
          return Result.later(Duration.ofSeconds(2));
        }
      }
      case "sharded" -> {
        if (context.shard().index() == 1 && context.attempt() == 1) {
          throw new IllegalStateException("not yet");
        }
      }
      case "large" -> {
        if (context.shard().index() % 50 == 0) {
          throw new IllegalStateException("it would be tried again, if the run went on");
        }
      }
      case "breaks" -> {
        if (context.shard().index() == 0 && !asked.containsKey(REPLAY_REST)) {
          throw new IllegalArgumentException("not this one");
        }
      }
      case "mends" -> {
        if (context.shard().index() == 0 && !asked.containsKey(REPLAY_PART)) {
          throw new IllegalArgumentException("not this one");
        }
        if (context.shard().index() == 1 && !answers.containsKey(REPLAY_PART)) {
          throw new IllegalStateException("its run stays under way");
        }
      }
      case MAPS -> {
        if (!splits(context)) {
          return Result.of(1);
        }
        if (context.attempt() == 1) {
          context.checkpoint(context.part());
          throw new IllegalStateException("what it has stored is for nothing");
        }
        return Result.success("behind " + context.checkpoint(Integer.class));
      }
      case BRANCHES -> {
        if (splits(context)) {
          return Result.success();
        }
      }
      case "dies" -> {
        if (!asked.containsKey(REPLAY)) {
          throw new IllegalArgumentException("not like this");
        }
      }
      default -> {}
    }
    return Result.of(new Returned(context.taskId(), context.executionId()));
  }

  // The script.

  /** Goes through all of it, until nothing is left to do. */
  void play() {
    run(Duration.ofMillis(500));
    submit(
        job("once"),
        job("told").feedback(true),
        job("flaky").retry(RetryPolicy.retries(2)),
        job("fails"),
        job("later"),
        job("sharded").shards(3).retry(RetryPolicy.retries(2).withDelays(SHARD_RETRY, SHARD_RETRY)),
        job("breaks").shards(2).retry(RetryPolicy.retries(2).notOn(IllegalArgumentException.class)),
        job("mends")
            .shards(2)
            .retry(
                RetryPolicy.retries(30)
                    .withDelays(MENDED, MENDED)
                    .notOn(IllegalArgumentException.class)),
        job("large").shards(300).priority(200),
        job("ended").shards(8),
        job(MAPS).on(STEADY).reduce(SUM).retry(UNTIL_MAPPED),
        job(BRANCHES).on(STEADY).retry(UNTIL_MAPPED),
        job("dies").retry(RetryPolicy.retries(2).notOn(IllegalArgumentException.class)),
        job("never").after(Duration.ofHours(1)),
        job("replaced").after(Duration.ofHours(1)),
        job("cron").cron("* * * * * ?").misfire(MisfirePolicy.all()).overlap(OverlapPolicy.allow()),
        job("paused").cron("0/2 * * * * ?").overlap(OverlapPolicy.allow()),
        job("skips").cron("0/2 * * * * ?").overlap(OverlapPolicy.skip()),
        job("queues").cron("0/2 * * * * ?").overlap(OverlapPolicy.queue(2)),
        job("delay").fixedDelay(Duration.ofSeconds(2)),
        job("splits").cron("0/2 * * * * ?").shards(2).overlap(OverlapPolicy.queue(2)),
        job("chops").fixedDelay(Duration.ofSeconds(2)).shards(2),
        job("spreads").cron("0/2 * * * * ?").broadcast().overlap(OverlapPolicy.queue(2)),
        job("rely").cron("0/2 * * * * ?").relyOnPrevCycle(true),
        job("edited").cron("0/3 * * * * ?").overlap(OverlapPolicy.allow()),
        job("damaged").cron("0/2 * * * * ?").overlap(OverlapPolicy.allow()),
        job("finishes").every(Duration.ofSeconds(2)).times(3));
    ask("declare", declaration());
    submit(Job.builder(IDLE, "missed").cron("* * * * * ?").misfire(MisfirePolicy.latest()));
    run(Duration.ofSeconds(2));
    submit(job("stopped"));
    ask("run now cron", new RunNowRequest("run-1", GROUP, "cron", null));
    run(Duration.ofSeconds(1));
    ask("cancel large", new CancelRequest(GROUP, "large"));
    ask("terminate ended", new TerminateRequest(GROUP, "ended", null));
    ask("cancel never", new CancelRequest(GROUP, "never"));
    ask("cancel stopped", new CancelRequest(GROUP, "stopped"));
    ask("terminate stopped", new TerminateRequest(GROUP, "stopped", null));
    submit(job("replaced").replaceExisting(true));
    REPLAYED.keySet().forEach(this::replay);
    ask("pause paused", new PauseRequest(GROUP, "paused", "to see"));
    run(Duration.ofSeconds(3));
    submit(
        job("edited").cron("1/4 * * * * ?").overlap(OverlapPolicy.allow()).replaceExisting(true));
    vanished.add("worker-2");
    run(Duration.ofMillis(1_800));
    ask("cancel " + BRANCHES, new CancelRequest(GROUP, BRANCHES));
    damage();
    run(Duration.ofSeconds(6));
    ask("resume paused", new ResumeRequest(GROUP, "paused"));
    run(Duration.ofSeconds(4));
    for (String recurring :
        List.of(
            "cron",
            "paused",
            "skips",
            "queues",
            "delay",
            "splits",
            "chops",
            "spreads",
            "rely",
            "edited",
            "damaged",
            "declared",
            "missed")) {
      String group = recurring.equals("missed") ? IDLE : GROUP;
      ask("cancel " + recurring, new CancelRequest(group, recurring));
    }
    startWorker("worker-3", IDLE);
    Instant end =
        clock
            .now()
            .plus(
                database.fault() == Fault.UNREACHABLE
                    ? QUIET_WHILE_UNREACHABLE_WITHIN
                    : QUIET_WITHIN);
    while (!isQuiet() && clock.now().isBefore(end)) {
      run(Duration.ofSeconds(2));
    }
  }

  private static DeclareRequest declaration() {
    Job declared = job("declared").cron("0/3 * * * * ?").overlap(OverlapPolicy.allow()).build();
    return new DeclareRequest(
        "declaration-1", "shop", 1L, 0, true, true, false, false, List.of(declared));
  }

  private static Job.Builder job(String taskId) {
    return Job.builder(GROUP, taskId).param("of", taskId);
  }

  private void submit(Job.Builder... jobs) {
    List<JobSubmission> submissions = new ArrayList<>();
    for (Job.Builder builder : jobs) {
      Job job = builder.build();
      String name = (job.replaceExisting() ? "replace " : "submit ") + job.taskId();
      asked.put(name, clock.now());
      submissions.add(new JobSubmission("of-" + name, job));
    }
    client.ask(
        new SubmitRequest(submissions),
        reply -> reply.results().stream().allMatch(r -> r.reason() != RejectReason.UNAVAILABLE),
        reply -> keep(submissions, reply));
  }

  private void keep(List<JobSubmission> submissions, SubmitReply reply) {
    for (int i = 0; i < submissions.size(); i++) {
      String name = submissions.get(i).submissionId().substring("of-".length());
      submits.put(name, reply.results().get(i));
      answered.put(name, clock.now());
    }
  }

  private <R> void ask(String name, Request<R> request) {
    asked.put(name, clock.now());
    client.ask(
        request,
        reply -> true,
        reply -> {
          answers.put(name, reply);
          answered.put(name, clock.now());
        });
  }

  /** An operator asks until there is something to replay, and then until there is an answer. */
  private void replay(String name) {
    var unused = timer.schedule(ASKED_AGAIN, tasks::add, () -> replay(name));
    if (answers.containsKey(name)) {
      unused.cancel();
      return;
    }
    List<String> dead =
        database.database().query("SELECT id FROM jt_dead WHERE " + REPLAYED.get(name));
    if (dead.isEmpty()) {
      return;
    }
    asked.putIfAbsent(name, clock.now());
    long id = Long.parseLong(dead.get(0));
    try {
      var answer =
          (name.equals(REPLAY_REST)
                  ? process.tracker.replayKeeping(id, "operator/ann")
                  : process.tracker.replay(id, null, "operator/ann"))
              .thenAccept(
                  result -> {
                    answers.putIfAbsent(name, result);
                    answered.putIfAbsent(name, clock.now());
                  });
    } catch (RuntimeException e) {
      // The tracker is not there; it is asked again.
    }
  }

  /** A trigger is lost, another belongs to no version of its job, and turns are miscounted. */
  private void damage() {
    long soon = clock.millis() + 8_000;
    String ofDamaged =
        " WHERE task_id = 'damaged' AND planned_at > " + soon + " AND planned_at <= ";
    database.database().execute("DELETE FROM jt_waiting_orders" + ofDamaged + (soon + 2_000));
    database
        .database()
        .execute(
            "UPDATE jt_waiting_orders SET job_version = 99"
                + ofDamaged.replace(" > " + soon, " > " + (soon + 10_000))
                + (soon + 12_000));
    database.database().execute("UPDATE jt_job SET queued = queued + 1 WHERE task_id = 'queues'");
    Stores stores = database.database().stores();
    stores.executing().findByGroup(GROUP, 0, 1_000).stream()
        .filter(run -> run.key().taskId().equals("cron"))
        .findFirst()
        .ifPresent(this::damageParts);
  }

  /**
   * What runs stores parts, and ends without a word of them; another part belongs to no run. A part
   * that waits for its next attempt is lost.
   */
  private void damageParts(Execution run) {
    Stores stores = database.database().stores();
    assertThat(
            stores
                .batches()
                .stage(
                    run.workerId(), run.id(), 1, List.of(new PartDraft(null, StoredParams.NONE))))
        .isEqualTo(BatchStore.Staged.STORED);
    Batch none = Batch.opened(run, BatchKind.SHARDS, 1);
    stores.waiting().insert(GROUP, List.of(none.part(1, run.id(), StoredParams.NONE, run.dueAt())));
    database
        .database()
        .execute(
            "UPDATE jt_waiting_orders SET job_id = %d, task_id = '%s', due_at = due_at + 3600000"
                    .formatted(NO_BATCH, PartKey.taskIdOf(NO_BATCH))
                + " WHERE id = "
                + run.id());
    for (Long sharded : stores.batches().findByTask(GROUP, "sharded")) {
      partsAreDamaged = true;
      database
          .database()
          .execute(
              "DELETE FROM jt_waiting_orders WHERE task_id = '%s'"
                  .formatted(PartKey.taskIdOf(sharded)));
    }
  }

  /** At any moment: what a batch counts as waiting or running is what there is of it. */
  private void batchesCountTheirParts() {
    for (Batch batch : database.database().stores().batches().findUnderWay(GROUP, 0, 1_000)) {
      if (partsAreDamaged && batch.run().key().taskId().equals("sharded")) {
        continue;
      }
      // A part that makes parts is an execution until it is split.
      long live =
          Stream.of(
                  "jt_waiting_orders WHERE",
                  "jt_executing WHERE",
                  "jt_batch WHERE state <> 'STAGED' AND")
              .map(where -> where + " task_id = '" + PartKey.taskIdOf(batch.id()) + "'")
              .mapToLong(rows -> database.database().query("SELECT id FROM " + rows).size())
              .sum();
      assertThat(live)
          .as("live parts of %s, at %s", batch.run().key().taskId(), clock.now())
          .isEqualTo(batch.counts().live());
    }
  }

  private boolean isQuiet() {
    return client.isAnswered()
        && answers.keySet().containsAll(REPLAYED.keySet())
        && List.of(
                "jt_waiting_orders", "jt_waiting_idle", "jt_executing", "jt_batch", "jt_feedback")
            .stream()
            .allMatch(table -> database.database().count(table) == 0)
        && database
            .database()
            .query("SELECT id FROM jt_job WHERE state IN ('ACTIVE', 'PAUSED')")
            .isEmpty();
  }

  PersistentClient client() {
    return client;
  }

  Instant now() {
    return clock.now();
  }

  private void run(Duration duration) {
    long end = clock.millis() + duration.toMillis();
    drain();
    while (timer.nextDueMillis().orElse(Long.MAX_VALUE) <= end && timer.runNext()) {
      drain();
    }
    if (clock.millis() < end) {
      timer.advanceTo(end);
    }
    drain();
    batchesCountTheirParts();
  }

  /** A handler waits: its thread is the only one, so all goes on in it. */
  private void runUntilDone(Future<?> answer) {
    drainUntil(answer::isDone);
    while (!answer.isDone() && timer.runNext()) {
      drainUntil(answer::isDone);
    }
  }

  private void drain() {
    drainUntil(() -> false);
  }

  private void drainUntil(BooleanSupplier holds) {
    while (!holds.getAsBoolean() && !tasks.isEmpty()) {
      Runnable task = tasks.remove();
      try {
        task.run();
      } catch (Halted e) {
        // Its process is buried below.
      }
      if (database.isHalted()) {
        process.die();
        database.recover();
      }
    }
  }

  /** Nothing reaches a node that has vanished, and nothing comes from it. */
  private final class Vanishing implements DeliveryPolicy {
    @Override
    public SimulatedDelivery decide(SimulatedFrame parcel, Random random) {
      return vanished.contains(parcel.from()) || vanished.contains(parcel.to())
          ? SimulatedDelivery.DROPPED
          : SimulatedDelivery.after(Duration.ofMillis(1));
    }

    @Override
    public boolean connects(String nodeId, String address) {
      return !vanished.contains(nodeId);
    }
  }
}
