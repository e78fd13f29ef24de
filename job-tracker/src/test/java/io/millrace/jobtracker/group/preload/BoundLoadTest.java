package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.LOOK_AHEAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.BoundParts;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is read of parts that are for one worker each. */
class BoundLoadTest extends ServiceTest {
  private WaitingTrigger part(long id, long dueAt) {
    return Batch.opened(
            SampleTriggers.execution(id, 1, RetryPolicy.DEFAULT), BatchKind.BROADCAST, 1)
        .boundPart(1, id, new BoundTo("worker-" + id, 0), dueAt);
  }

  private List<WaitingTrigger> parts(long first, long last, long dueAt) {
    return LongStream.rangeClosed(first, last).mapToObj(id -> part(id, dueAt)).toList();
  }

  /** Pages end in the middle of an instant, at its end, and behind the last row. */
  @Test
  void rowsOfAllPagesAreReadUpToTheLookAhead() {
    long now = time.millis();
    stores.waiting().insert(GROUP, parts(1, 1_700, now));
    stores.waiting().insert(GROUP, parts(1_701, 2_000, now + 1));
    stores.waiting().insert(GROUP, parts(2_001, 2_100, now + LOOK_AHEAD.toMillis()));
    stores.waiting().insert(GROUP, parts(2_101, 2_150, now + LOOK_AHEAD.toMillis() + 1));

    tracker.load();

    BoundParts bound = tracker.group().heads().bound();
    assertThat(bound.workers()).hasSize(2_100);
    assertThat(bound.first(new BoundTo("worker-1700", 0), now, now)).isNotNull();
    assertThat(bound.first(new BoundTo("worker-2000", 0), now, now)).isNull();
    assertThat(bound.first(new BoundTo("worker-2000", 0), now + 1, now + 1)).isNotNull();
    assertThat(tracker.group().heads().isBlind()).isFalse();
  }
}
