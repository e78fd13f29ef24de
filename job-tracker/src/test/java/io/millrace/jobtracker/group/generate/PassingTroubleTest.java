package io.millrace.jobtracker.group.generate;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.trigger.LapsedNumberException;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What passes puts no job off: to be put off binds every tracker for a minute. */
class PassingTroubleTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @BeforeEach
  void letJobsRunLow() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.submit(job("sweep").every(MINUTE).build());
    time.pass(Duration.ofMinutes(9));
  }

  /** A tracker that fails at the first transactions in which it would generate. */
  private HandDrivenTracker failing(RuntimeException... troubles) {
    Deque<RuntimeException> left = new ArrayDeque<>(List.of(troubles));
    Transactions failing =
        new ForwardingTransactions(stores.transactions()) {
          @Override
          public <T> T inTransaction(String name, Supplier<T> work) {
            if (name.startsWith("generate") && !left.isEmpty()) {
              throw left.remove();
            }
            return super.inTransaction(name, work);
          }
        };
    return new HandDrivenTracker(2, FaultyTransactions.around(stores, failing), time);
  }

  private void assertAnotherTrackerGenerates() {
    assertThat(definition("poll").generateAt()).isLessThanOrEqualTo(time.millis());
    assertThat(definition("sweep").generateAt()).isLessThanOrEqualTo(time.millis());
    assertThat(anotherTracker().generate().triggers()).isPositive();
    assertThat(waiting("poll")).hasSizeGreaterThan(11);
    assertThat(waiting("sweep")).hasSizeGreaterThan(11);
  }

  @Test
  void numberThatHasLapsedPutsNoJobOff() {
    tracker.holdsItsNumber(false);

    assertThatThrownBy(tracker::generate).isInstanceOf(LapsedNumberException.class);

    assertAnotherTrackerGenerates();
  }

  /** Of these no job is to blame: the run is over, and the next one comes with the timer. */
  static Stream<RuntimeException> ofTheWholeRun() {
    return Stream.of(
        new StoreUnavailableException("no connection", null),
        new UnknownOutcomeException("commit lost", new RuntimeException()),
        new LapsedNumberException(1),
        new RejectedExecutionException("stopping"));
  }

  @ParameterizedTest
  @MethodSource("ofTheWholeRun")
  void troubleOfTheWholeRunEndsIt(RuntimeException trouble) {
    assertThatThrownBy(failing(trouble)::generate).isSameAs(trouble);

    assertAnotherTrackerGenerates();
  }

  /** Others hold or change its row; what they leave alone must not wait for that. */
  static Stream<RuntimeException> ofOneJob() {
    return Stream.of(
        new RaceLostException("changed"), new StoreBusyException("locked", new RuntimeException()));
  }

  @ParameterizedTest
  @MethodSource("ofOneJob")
  void jobThatOthersHoldIsLeftToTheNextRun(RuntimeException trouble) {
    RuntimeException[] always = Collections.nCopies(30, trouble).toArray(RuntimeException[]::new);

    TriggerGenerator.Generated generated = failing(always).generate();

    assertThat(generated.isNothing()).isTrue();
    assertAnotherTrackerGenerates();
  }

  @Test
  void jobThatOthersHoldKeepsNoOtherFromBeingGenerated() {
    HandDrivenTracker shaky =
        failing(
            new StoreBusyException("batch", new RuntimeException()),
            new StoreBusyException("poll", new RuntimeException()));

    TriggerGenerator.Generated generated = shaky.generate();

    assertThat(generated.jobs()).isEqualTo(1);
    assertThat(waiting("poll")).hasSize(11);
    assertThat(waiting("sweep")).hasSizeGreaterThan(11);
    assertThat(shaky.generate().jobs()).as("with the next run").isEqualTo(1);
    assertThat(waiting("poll")).hasSizeGreaterThan(11);
  }
}
