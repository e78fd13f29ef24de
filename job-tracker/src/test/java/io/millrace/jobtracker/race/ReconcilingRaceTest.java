package io.millrace.jobtracker.race;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.group.reconcile.Reconciled;
import io.millrace.jobtracker.store.Racer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

/** A reconciler that looks while everybody else is in the middle of something. */
class ReconcilingRaceTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Racer racer = new Racer();
  private HandDrivenTracker one;
  private HandDrivenTracker two;
  private HandDrivenTracker three;
  private HandDrivenTracker looking;
  private HandDrivenWorker worker;

  @BeforeEach
  void openTrackers() {
    one = new HandDrivenTracker(11, stores, new HandTime());
    two = new HandDrivenTracker(12, stores, new HandTime());
    three = new HandDrivenTracker(13, stores, new HandTime());
    looking = new HandDrivenTracker(14, stores, new HandTime());
    worker = one.worker("worker-1");
  }

  @AfterEach
  void stopThreads() {
    racer.close();
  }

  @RepeatedTest(20)
  void workThatGoesOnIsNeverTakenForDamage() {
    one.submit(
        job("poll").every(MINUTE).build(),
        job("edited").every(MINUTE).build(),
        job("cancelled").every(MINUTE).build(),
        job("chain").fixedDelay(MINUTE).build(),
        job("edited-chain").fixedDelay(MINUTE).build(),
        job("skips").every(Duration.ofMillis(500)).times(20).overlap(OverlapPolicy.skip()).build(),
        job("queues")
            .every(Duration.ofMillis(400))
            .times(9)
            .overlap(OverlapPolicy.queue(5))
            .build());
    two.time().pass(Duration.ofMillis(1));
    three.time().pass(Duration.ofMillis(2));

    List<List<Reconciled>> looks =
        racer.together(
            List.<Callable<List<Reconciled>>>of(
                this::work, this::edit, this::pauseAndCancel, () -> look(8), () -> look(8)));
    List<Reconciled> all = new ArrayList<>();
    looks.forEach(all::addAll);
    all.addAll(look(1));

    assertThat(all).hasSize(17).allMatch(Reconciled::isNothing);
  }

  private List<Reconciled> work() {
    for (int round = 0; round < 4; round++) {
      worker
          .take(3)
          .forEach(
              taken -> {
                boolean fails = taken.executionId() % 3 == 0;
                worker.report(taken, fails ? Outcome.EXCEPTION : Outcome.SUCCESS);
              });
      one.generate();
    }
    return List.of();
  }

  private List<Reconciled> edit() {
    two.submit(job("edited").every(Duration.ofMinutes(2)).replaceExisting(true).build());
    two.submit(job("edited-chain").fixedDelay(Duration.ofMinutes(2)).replaceExisting(true).build());
    two.submit(job("edited").fixedDelay(Duration.ofMinutes(2)).replaceExisting(true).build());
    two.runNow("queues");
    return List.of();
  }

  private List<Reconciled> pauseAndCancel() {
    three.pause("skips");
    three.cancel("cancelled");
    three.runNow("skips");
    three.resume("skips");
    return List.of();
  }

  private List<Reconciled> look(int times) {
    List<Reconciled> looks = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      looks.add(
          HandDrivenTracker.reconciler(stores, looking.ids(), looking.signals())
              .runOnce(HandTime.START.toEpochMilli()));
    }
    return looks;
  }
}
