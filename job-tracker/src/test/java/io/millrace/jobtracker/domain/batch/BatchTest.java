package io.millrace.jobtracker.domain.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IllegalTransitionException;
import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final StoredParams PARAMS = new StoredParams(7, "{\"a\":1}");

  private final Batch batch = SampleBatches.open(10);

  @Test
  void partIsAOneShotOfItsBatch() {
    WaitingTrigger part = batch.part(3, 99, PARAMS, 5_000);

    assertThat(part.key()).isEqualTo(new TriggerKey("#7", 0, 3));
    assertThat(part.jobId()).isEqualTo(7);
    assertThat(part.isOfRecurringJob()).isFalse();
    assertThat(part.plannedFor()).isEqualTo(batch.run().plannedFor());
    assertThat(part.dueAt()).isEqualTo(5_000);
    assertThat(part.priority()).isEqualTo(batch.run().priority());
    assertThat(part.attempt()).isEqualTo(1);
    assertThat(part.params()).isEqualTo(PARAMS);
    assertThat(part.carriesParams()).isTrue();
    assertThat(part.isMissable()).isFalse();
    assertThat(part.submission()).isNull();
    assertThat(PartKey.of(part.core())).contains(new PartKey(7, 3));
  }

  @Test
  void partRunsAsItsRunWasToAndIsNoSubmitOfItsOwn() {
    var spec = batch.part(3, 99, PARAMS, 5_000).spec();

    assertThat(spec.retry()).isEqualTo(batch.run().spec().retry());
    assertThat(spec.part()).isEqualTo(new PartOf(7, batch.run().key().taskId(), 10, false));
    assertThat(spec.submissionId()).isEmpty();
    assertThat(spec.feedback()).isFalse();
    assertThat(spec.chained()).isFalse();
    assertThat(spec.overlapPolicy().isExclusive()).isFalse();
  }

  @Test
  void partOfARunThatWasClaimedAheadWaitsForTheRunsTime() {
    long due = batch.run().dueAt();

    assertThat(batch.part(3, 99, PARAMS, due - 20).dueAt()).isEqualTo(due);
  }

  @Test
  void partComesBackAsThePartThatItWas() {
    WaitingTrigger part = batch.part(3, 99, PARAMS, 5_000);
    Execution execution = Execution.claim(100, "orders", part, part.spec(), "worker-1", 5_001);

    WaitingTrigger retry = execution.backToWaiting(101, 6_000, 2, PARAMS);

    assertThat(retry.key()).isEqualTo(part.key());
    assertThat(retry.spec()).isEqualTo(part.spec());
    assertThat(retry.submission()).isNull();
    assertThat(retry.attempt()).isEqualTo(2);
  }

  @Test
  void whatIsNoPartHasNoPartKey() {
    assertThat(PartKey.of(batch.run().core())).isEmpty();
    assertThat(PartKey.of(SampleTriggers.planned(5, 100, 1_000).core())).isEmpty();
    assertThatThrownBy(() -> new PartKey(7, 0)).hasMessage("batch 7 has no part 0");
  }

  @Test
  void batchBelowAnotherHasItsRoot() {
    Ancestry second = Ancestry.below(batch);

    assertThat(second).isEqualTo(new Ancestry(7L, 7, 2));
    assertThat(second.maySplit()).isTrue();
    assertThat(new Ancestry(70L, 7, BatchBounds.MAX_DEPTH).maySplit()).isFalse();
    assertThatThrownBy(() -> new Ancestry(null, 7, 2)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stopEndsWhatWaits() {
    Batch running = batch.with(batch.counts().releasing(8));

    Batch stopped = running.stopped(BatchStop.CANCELLED, 5);

    assertThat(stopped.state()).isEqualTo(BatchState.STOPPING);
    assertThat(stopped.counts().live()).isEqualTo(3);
    assertThatThrownBy(() -> stopped.stopped(BatchStop.DEADLINE, 0))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessage("batch 7 cannot go from STOPPING to STOPPING");
  }

  @Test
  void stateThatContradictsTheRestIsRefused() {
    for (BatchState state : List.of(BatchState.STAGED, BatchState.STOPPING)) {
      assertThatThrownBy(
              () ->
                  new Batch(
                      SampleTriggers.execution(7, 1, RetryPolicy.DEFAULT),
                      BatchKind.MAP,
                      state,
                      batch.counts(),
                      batch.onPartFailure(),
                      batch.reduce(),
                      batch.ancestry(),
                      5L,
                      null,
                      null,
                      0,
                      0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
