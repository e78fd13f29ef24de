package io.millrace.jobtracker.purge;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stored parts go some time after the end of their run, and not before. */
class PartPurgeTest extends PurgeTest {
  private HandDrivenWorker worker;

  private static final Duration KEEP = CONFIG.batchKeep().plus(PartPurge.MARGIN);

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private Assignment running(String taskId, int parts) {
    tracker.submit(job(taskId).retry(RetryPolicy.NONE).build());
    Assignment assignment = worker.takeOne();
    stores
        .parts()
        .append(
            IntStream.rangeClosed(1, parts)
                .mapToObj(
                    i ->
                        Part.of(
                            new PartKey(assignment.executionId(), i), new StoredParams(2, "{}")))
                .toList());
    return assignment;
  }

  private List<Long> left() {
    runAll(purger());
    return stores.parts().batches(0, 100);
  }

  @Test
  void partsOfARunUnderWayStayAndThoseOfOneThatEndedGoWhenNobodyNeedsThem() {
    Assignment open = running("open", 3);
    Execution run = stores.executing().find(List.of(open.executionId())).get(0);
    stores.batches().insert(List.of(Batch.opened(run, BatchKind.MAP, 3)));
    Assignment ended = running("ended", 3);
    worker.succeed(ended);
    assertThat(left()).containsExactly(open.executionId(), ended.executionId());

    time.pass(KEEP);

    assertThat(left()).containsExactly(open.executionId());
  }

  @Test
  void partsOfARunThatWasSplitGoAfterItsEnd() {
    tracker.submit(job("index").reduce("sum").build());
    Assignment run = worker.takeOne();
    worker.map(run, 2);
    tracker.runBatches();
    List<Assignment> parts = worker.take(2);
    worker.succeed(parts.get(0), "1");
    worker.map(parts.get(1), 0);
    for (int reduces = 0; reduces < 2; reduces++) {
      time.pass(KEEP);
      tracker.runBatches();
      worker.succeed(worker.takeOne(), "1");
      assertThat(left()).contains(run.executionId());
    }
    tracker.runBatches();
    assertThat(left()).contains(run.executionId());

    time.pass(KEEP);

    assertThat(left()).isEmpty();
  }

  /** Copies for a run that a replay has yet to open, or never will. */
  @Test
  void partsOfNoRunStayForAnHourAndGo() {
    long copy = tracker.ids().next(time.millis());
    stores.parts().append(List.of(Part.of(new PartKey(copy, 1), StoredParams.NONE)));
    time.pass(PartPurge.MARGIN.minusMinutes(1));
    assertThat(left()).containsExactly(copy);

    time.pass(Duration.ofMinutes(2));

    assertThat(left()).isEmpty();
  }

  @Test
  void manyPartsGoInPieces() {
    long many = running("many", 300).executionId();
    worker.succeed(running("few", 2));
    byHand("DELETE FROM jt_executing");
    time.pass(KEEP);

    assertThat(left()).isEmpty();
    assertThat(stores.parts().read(many, 0, 1)).isEmpty();
  }
}
