package io.millrace.jobtracker.complete;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept of triggers that end DEAD, and of no others. */
class DeadTriggersTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void oneShotThatDiesIsKeptWithWhatItRanWith() {
    tracker.submit(job("close").priority(7).handler("mail").retry(RetryPolicy.retries(1)).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    assertThat(dead("close")).as("an attempt is left").isEmpty();
    time.pass(Duration.ofMinutes(10));
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    LedgerEntry end = ledger("close").get(1);
    assertThat(end.status()).isEqualTo(LedgerStatus.DEAD);
    DeadTrigger kept = dead("close").get(0);
    assertThat(kept.id()).isEqualTo(end.id());
    assertThat(kept.key()).isEqualTo(end.key());
    assertThat(kept.jobId()).isEqualTo(end.jobId());
    assertThat(kept.jobVersion()).isZero();
    assertThat(kept.plannedFor()).isEqualTo(end.plannedFor());
    assertThat(kept.priority()).isEqualTo(7);
    assertThat(kept.attempt()).isEqualTo(2);
    assertThat(kept.diedAt()).isEqualTo(end.times().finishedAt());
    assertThat(kept.cause()).isEqualTo(Cause.of(CauseCode.ATTEMPTS_USED_UP));
    assertThat(kept.spec()).matches(spec -> "mail".equals(spec.handler()));
    assertThat(kept.params().json()).isEqualTo("{\"of\":\"close\"}");
    assertThat(kept.state()).isEqualTo(DeadState.OPEN);
  }

  @Test
  void largeParametersOfAOneShotAreKept() {
    String text = "x".repeat(100_000);
    tracker.submit(job("close").param("text", text).retry(RetryPolicy.NONE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    long id = dead("close").get(0).id();
    assertThat(stores.dead().find(id).orElseThrow().params().json()).contains(text);
  }

  @Test
  void triggerOfARecurringJobIsKeptByItsJobAndInstant() {
    tracker.submit(job("poll").every(MINUTE).retry(RetryPolicy.NONE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    DeadTrigger kept = dead("poll").get(0);
    assertThat(kept.jobId()).isEqualTo(definition("poll").id());
    assertThat(kept.jobVersion()).isEqualTo(1);
    assertThat(kept.key()).isEqualTo(ledger("poll").get(0).key());
    assertThat(kept.spec()).as("its definition holds it").isNull();
    assertThat(kept.params().bytes()).as("its definition holds them").isZero();
  }

  @Test
  void extraRunIsKeptWithItsOwnParameters() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).retry(RetryPolicy.NONE).build());
    tracker.runNow("run-1", "poll", Map.of("day", "1"));
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    assertThat(dead("poll"))
        .singleElement()
        .matches(kept -> kept.key().isExtra())
        .matches(kept -> "{\"day\":\"1\"}".equals(kept.params().json()));
  }

  @Test
  void onlyWhatIsDeadIsKept() {
    tracker.submit(job("fine").build(), job("no").build(), job("again").build());
    for (Assignment assignment : worker.take(3)) {
      switch (assignment.taskId()) {
        case "fine" -> worker.succeed(assignment);
        case "no" -> worker.report(assignment, Outcome.FAILED);
        default -> worker.report(assignment, Outcome.LATER);
      }
    }
    tracker.cancel("again");

    assertThat(dead("fine")).isEmpty();
    assertThat(dead("no")).isEmpty();
    assertThat(dead("again")).isEmpty();
  }

  @Test
  void lostWorkerLeavesADeadTriggerToo() {
    tracker.submit(job("close").retry(RetryPolicy.NONE).build());
    worker.takeOne();
    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.plusSeconds(5));

    assertThat(dead("close"))
        .singleElement()
        .matches(
            kept ->
                Cause.of(CauseCode.WORKER_LOST)
                    .and(Cause.of(CauseCode.ATTEMPTS_USED_UP))
                    .equals(kept.cause()));
  }

  @Test
  void itIsThereIfAndOnlyIfTheLedgerSaysSo() {
    tracker.submit(job("close").retry(RetryPolicy.NONE).build());
    Assignment running = worker.takeOne();
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    HandDrivenWorker moved = worker.movedTo(shaky);

    transactions.failNext(FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH);
    assertThatThrownBy(() -> moved.report(running, Outcome.EXCEPTION))
        .hasCauseInstanceOf(UnknownOutcomeException.class);
    assertThat(ends("close")).isEmpty();
    assertThat(dead("close")).isEmpty();
    transactions.failNext(FaultyTransactions.Fault.COMMITTED_IN_SILENCE);
    moved.report(running, Outcome.EXCEPTION);

    assertThat(ends("close")).containsExactly("DEAD");
    assertThat(dead("close")).hasSize(1);
  }
}
