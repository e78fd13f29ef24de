package io.millrace.jobtracker.complete;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.ExecutingStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/** Invariant 5: after a cancel commits, no attempt of what it cancelled follows. */
class CancelDuringEndTest {
  private static final String GROUP = "orders";
  private static final String TASK = "close:42";
  private static final long EXECUTION = 7;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T00:00:00Z"));

  @ParameterizedTest
  @EveryDatabase
  void cancelThatCommitsWhileAnAttemptEndsIsNotLost(TestDatabase.Kind kind) {
    try (TestDatabase database = kind.open()) {
      Stores stores = database.stores();
      stores.nodeGroups().ensure(GROUP, 10);
      database.anotherTracker().executing().insert(List.of(execution()));
      cancelWhileItEnds(stores, "find");
    }
  }

  @ParameterizedTest
  @EveryDatabase
  void cancelIsNotLostThoughTheTrackerRemembersWhatItClaimed(TestDatabase.Kind kind) {
    try (TestDatabase database = kind.open()) {
      Stores stores = database.stores();
      stores.nodeGroups().ensure(GROUP, 10);
      stores.executing().insert(List.of(execution()));
      cancelWhileItEnds(stores, "recall");
    }
  }

  private void cancelWhileItEnds(Stores stores, String reading) {
    CompletionService desk =
        desk(
            Interruptions.after(
                stores,
                ExecutingStore.class,
                reading,
                () -> stores.executing().requestStop(GROUP, TASK)));

    var answers = desk.complete(worker(), new CompleteRequest(List.of(failure()))).join();

    assertThat(answers.answers()).containsExactly(CompletionStatus.ACCEPTED);
    assertThat(stores.waiting().findByTask(GROUP, TASK)).isEmpty();
    assertThat(stores.executing().findByGroup(GROUP, 0, 10)).isEmpty();
    assertThat(stores.ledger().find(List.of(EXECUTION)))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.CANCELLED);
  }

  private CompletionService desk(Stores stores) {
    TimedExecutor time = new TimedExecutor(clock, new ManualTimer(clock), Runnable::run);
    return CompletionService.of(
        1,
        new EngineContext(
            stores,
            new IdSequence(1, 0),
            new JobPlanner(ZoneOffset.UTC, GenerationLimits.DEFAULT),
            Signals.NONE,
            EngineListener.NONE,
            new Timers(time, new Random(1))),
        new StoreQuotas(stores.nodeGroups(), QuotaConfig.DEFAULT),
        level -> null);
  }

  private ExecutionResult failure() {
    return new ExecutionResult(
        EXECUTION, Outcome.EXCEPTION, "boom", null, List.of(), clock.now(), clock.now());
  }

  private static Peer worker() {
    return new Peer(NodeRole.WORKER, "worker-1", GROUP, "localhost:1");
  }

  private Execution execution() {
    return new Execution(
        EXECUTION,
        GROUP,
        new TriggerCore(TriggerKey.oneShot(TASK), 5, 0, 0, 1),
        0,
        100,
        0,
        new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "shop", "s-1", "client-1"),
        StoredParams.NONE,
        "worker-1",
        clock.millis(),
        false,
        false,
        null);
  }
}
