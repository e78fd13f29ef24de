package io.millrace.jobtracker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.LogCapture;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.RecordedSignals;
import io.millrace.jobtracker.group.reconcile.GroupReconciler;
import io.millrace.jobtracker.group.reconcile.NodeGroupTables;
import io.millrace.jobtracker.group.reconcile.Reconciled;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.submit.JobServices;
import io.millrace.jobtracker.submit.job.FeatureGate;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever a cluster at work does, crashes of its store and a worker that vanishes included, leaves
 * nothing to reconcile: a second reconciler beside the tracker's own looks again and again, at any
 * moment, and repairs nothing.
 */
class HealthyClusterTest {
  private static final String GROUP = SimulatedCluster.GROUP;
  private static final Peer CLIENT = HandDrivenTracker.CLIENT;
  private static final List<String> PAUSABLE = List.of("skips", "delay", "queues");

  /** Some attempts throw, and a few ask to come later. */
  private static JobRunner moody(Random moods) {
    return context -> {
      int mood = moods.nextInt(12);
      if (mood < 3) {
        throw new IllegalStateException("not yet");
      }
      return mood == 3 ? Result.later(Duration.ofSeconds(20)) : Result.success();
    };
  }

  @Test
  void clusterAtWorkLeavesNothingToReconcile() {
    assertNothingToReconcile(3);
  }

  @Test
  @Tag("long")
  void anotherClusterAtWorkLeavesNothingToReconcile() {
    assertNothingToReconcile(17);
  }

  private static void assertNothingToReconcile(long seed) {
    try (LogCapture timers = new LogCapture(RepeatedTimer.class);
        SimulatedCluster cluster = new SimulatedCluster(seed, 0.002, 3, moody(new Random(seed)))) {
      Random random = new Random(seed);
      RecordedSignals signals = new RecordedSignals(new LeaseTable(1_000, 60_000));
      GroupReconciler reconciler =
          HandDrivenTracker.reconciler(cluster.stores(), new IdSequence(900, 0), signals);
      NodeGroupTables tables = new NodeGroupTables(cluster.stores().nodeGroups(), signals);
      int looks = 0;
      Instant end = cluster.now().plus(Duration.ofMinutes(100));
      for (int step = 0; cluster.now().isBefore(end); step++) {
        act(cluster, step, random);
        cluster.run(Duration.ofMillis(random.nextInt(60_000)));
        assertNothing(reconciler.runOnce(cluster.now().toEpochMilli()), cluster.now());
        assertNothing(tables.runOnce(cluster.now().toEpochMilli()), cluster.now());
        looks++;
      }

      assertThat(looks).isGreaterThan(150);
      assertThat(cluster.failedTransactions()).isPositive();
      assertThat(timers.lines()).as("the tracker's own").noneMatch(l -> l.contains("reconcile"));
      assertThat(cluster.ledger())
          .extracting(LedgerEntry::status)
          .extracting(Enum::name)
          .contains("SUCCEEDED", "RETRIED", "SKIPPED", "CANCELLED", "POSTPONED");
    }
  }

  private static void assertNothing(Reconciled done, Instant now) {
    assertThat(done.isNothing()).as("%s at %s", done, now).isTrue();
  }

  private static void act(SimulatedCluster cluster, int step, Random random) {
    if (step == 0) {
      submitAll(cluster);
    }
    if (step == 100) {
      cluster.vanish("worker-2");
    }
    JobServices jobs = jobs(cluster);
    switch (step % 40) {
      case 5 -> cluster.client().submitAsync(edited(random));
      case 8 ->
          jobs.runNow().runNow(CLIENT, new RunNowRequest("run-" + step, GROUP, "queues", null));
      case 9 -> jobs.runNow().runNow(CLIENT, new RunNowRequest("run-" + step, GROUP, "rely", null));
      case 10 ->
          jobs.pauser().pause(CLIENT, new PauseRequest(GROUP, PAUSABLE.get(step % 3), "to see"));
      case 11 -> jobs.canceller().cancel(CLIENT, new CancelRequest(GROUP, "comes-and-goes"));
      case 12 ->
          jobs.runNow()
              .runNow(
                  CLIENT,
                  new RunNowRequest("run-" + step, GROUP, PAUSABLE.get((step - 2) % 3), null));
      case 13 -> jobs.resumer().resume(new ResumeRequest(GROUP, PAUSABLE.get((step - 3) % 3)));
      case 15 -> cluster.client().submitAsync(comesAndGoes());
      case 21 ->
          cluster.client().submitAsync(job("once-" + step).after(Duration.ofMinutes(3)).build());
      case 23 -> {
        if (step % 80 == 63) {
          jobs.canceller().cancel(CLIENT, new CancelRequest(GROUP, "once-" + (step - 2)));
        }
      }
      case 25 ->
          cluster
              .client()
              .submitAsync(job("counted-" + step).every(Duration.ofSeconds(90)).times(7).build());
      case 31 ->
          cluster
              .client()
              .submitAsync(
                  job("chain-" + step).fixedDelay(Duration.ofSeconds(50)).times(4).build());
      default -> {
        // The cluster is left to itself.
      }
    }
  }

  /** Another tracker's, since the client waits for its answers. */
  private static JobServices jobs(SimulatedCluster cluster) {
    ManualClock clock = new ManualClock(cluster.now());
    EngineContext engine =
        new EngineContext(
            cluster.stores(),
            new IdSequence(901, cluster.stores().trackers().highestId()),
            new JobPlanner(ZoneOffset.UTC, GenerationLimits.DEFAULT),
            new RecordedSignals(new LeaseTable(1_000, 60_000)),
            EngineListener.NONE,
            new Timers(
                new TimedExecutor(clock, new ManualTimer(clock), Runnable::run), new Random(1)));
    return JobServices.of(
        new JobServices.Bounds(
            ZoneOffset.UTC,
            new NodeGroupStore.Bounds(10, 10),
            new StoreQuotas(cluster.stores().nodeGroups(), QuotaConfig.DEFAULT),
            new FeatureGate(
                cluster.stores().trackers(),
                cluster.stores().liveTrackers(),
                clock,
                FeatureLevel::neededBy),
            Duration.ofDays(7)),
        engine);
  }

  private static void submitAll(SimulatedCluster cluster) {
    cluster
        .client()
        .submitAsync(job("cron").cron("0 0/5 * * * ?", ZoneId.of("Europe/Berlin")).build());
    cluster.client().submitAsync(job("often").every(Duration.ofSeconds(5)).build());
    cluster
        .client()
        .submitAsync(
            job("flaky")
                .cron("30 * * * * ?")
                .retry(RetryPolicy.retries(2))
                .misfire(MisfirePolicy.all())
                .build());
    cluster.client().submitAsync(job("delay").fixedDelay(Duration.ofMinutes(3)).build());
    cluster.client().submitAsync(job("rely").cron("15 * * * * ?").relyOnPrevCycle(true).build());
    cluster
        .client()
        .submitAsync(
            job("skips").every(Duration.ofSeconds(20)).overlap(OverlapPolicy.skip()).build());
    cluster
        .client()
        .submitAsync(
            job("queues").every(Duration.ofSeconds(25)).overlap(OverlapPolicy.queue(4)).build());
    cluster.client().submitAsync(comesAndGoes());
  }

  private static Job comesAndGoes() {
    return job("comes-and-goes").every(Duration.ofSeconds(30)).replaceExisting(true).build();
  }

  private static Job edited(Random random) {
    Job.Builder job = job("edited").replaceExisting(true);
    return random.nextBoolean()
        ? job.every(Duration.ofSeconds(20 + random.nextInt(60))).build()
        : job.cron("10 0/2 * * * ?").priority(random.nextInt(256)).build();
  }

  private static Job.Builder job(String taskId) {
    return Job.builder(GROUP, taskId).param("of", taskId);
  }
}
