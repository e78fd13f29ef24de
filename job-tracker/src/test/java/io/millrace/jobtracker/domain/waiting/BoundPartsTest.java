package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Parts for one worker each, in memory. */
class BoundPartsTest {
  private static final long NOW = 1_000_000;
  private static final BoundTo ONE = new BoundTo("worker-1", 1);
  private static final BoundTo TWO = new BoundTo("worker-2", 1);

  private final BoundParts parts = new BoundParts(PriorityOrder.STRICT);

  private static WaitingTrigger part(long id, BoundTo worker, long dueAt) {
    return Batch.opened(
            SampleTriggers.execution(id, 1, RetryPolicy.DEFAULT), BatchKind.BROADCAST, 1)
        .boundPart(1, id, worker, dueAt);
  }

  private static List<WaitingTrigger> parts(int count, BoundTo worker) {
    return LongStream.rangeClosed(1, count).mapToObj(id -> part(id, worker, NOW)).toList();
  }

  private void take(WaitingTrigger row) {
    assertThat(parts.take(row)).isTrue();
  }

  @Test
  void eachWorkerHasItsOwnFirst() {
    parts.takeIn(List.of(part(3, ONE, NOW), part(1, TWO, NOW), part(2, ONE, NOW)), NOW);

    assertThat(parts.first(ONE, NOW, NOW).id()).isEqualTo(2);
    assertThat(parts.first(TWO, NOW, NOW).id()).isEqualTo(1);
    assertThat(parts.first(new BoundTo("worker-1", 2), NOW, NOW)).as("another process").isNull();
    assertThat(parts.workers()).containsExactlyInAnyOrder(ONE, TWO);
  }

  @Test
  void whatFallsDueLaterIsToldOfAndHandedOutThen() {
    assertThat(parts.takeIn(List.of(part(1, ONE, NOW + 50)), NOW)).containsExactly(NOW + 50);

    assertThat(parts.first(ONE, NOW, NOW)).isNull();
    assertThat(parts.first(ONE, NOW, NOW + 50).id()).as("claimed ahead").isEqualTo(1);
    assertThat(parts.first(ONE, NOW + 50, NOW + 50).id()).isEqualTo(1);
  }

  @Test
  void whatIsInAClaimIsHandedOutOnce() {
    WaitingTrigger row = part(1, ONE, NOW);
    parts.takeIn(List.of(row), NOW);
    take(row);

    assertThat(parts.take(row)).isFalse();
    assertThat(parts.first(ONE, NOW, NOW)).isNull();
    assertThat(parts.isEmpty()).isTrue();
    parts.takeIn(List.of(row), NOW);
    assertThat(parts.isEmpty()).as("read again meanwhile").isTrue();

    assertThat(parts.putBack(List.of(1L), NOW)).isEmpty();
    assertThat(parts.first(ONE, NOW, NOW)).isEqualTo(row);
  }

  @Test
  void loadThatBeganBeforeTheOutcomeDoesNotBringARowBack() {
    WaitingTrigger row = part(1, ONE, NOW);
    parts.takeIn(List.of(row), NOW);
    take(row);

    parts.beginLoad();
    parts.settle(List.of(1L));
    parts.takeIn(List.of(row), NOW);
    parts.endLoad();

    assertThat(parts.isEmpty()).isTrue();
    parts.takeIn(List.of(row), NOW);
    assertThat(parts.isEmpty()).as("a row that a later load has read").isFalse();
  }

  @Test
  void allOfAWorkerAreTakenAtOnce() {
    WaitingTrigger due = part(1, ONE, NOW);
    WaitingTrigger later = part(2, ONE, NOW + 1_000);
    parts.takeIn(List.of(due, later, part(3, TWO, NOW)), NOW);

    assertThat(parts.takeAllOf(ONE)).containsExactly(due, later);
    assertThat(parts.takeAllOf(ONE)).isEmpty();
    assertThat(parts.workers()).containsExactly(TWO);
    assertThat(parts.putBack(List.of(1L, 2L), NOW)).containsExactly(NOW + 1_000);
  }

  @Test
  void whatDoesNotFitIsReadWhenThereIsRoom() {
    List<WaitingTrigger> many = parts(BoundParts.MOST_OF_WORKER + 1, ONE);
    parts.takeIn(many, NOW);
    parts.takeIn(List.of(part(100_000, TWO, NOW)), NOW);
    assertThat(parts.first(TWO, NOW, NOW)).as("another has room").isNotNull();
    assertThat(parts.wantsLoad()).isFalse();
    assertThat(parts.backlog(NOW)).as("not all is known").isEmpty();

    many.subList(0, BoundParts.MOST_OF_WORKER - 64).forEach(this::take);
    assertThat(parts.wantsLoad()).isTrue();
    parts.beginLoad();
    parts.takeIn(many, NOW);
    parts.endLoad();

    assertThat(parts.wantsLoad()).isFalse();
    assertThat(parts.takeAllOf(ONE)).hasSize(65);
    assertThat(parts.backlog(NOW)).hasValueSatisfying(all -> assertThat(all.due()).isEqualTo(1));
  }

  @Test
  void memoryIsBoundedOverAllWorkers() {
    for (int worker = 0; worker * 200 < BoundParts.MOST + 400; worker++) {
      BoundTo to = new BoundTo("worker-" + worker, 1);
      long first = worker * 1_000L;
      parts.takeIn(
          LongStream.rangeClosed(first + 1, first + 200).mapToObj(id -> part(id, to, NOW)).toList(),
          NOW);
    }

    assertThat(parts.workers().stream().mapToInt(each -> parts.takeAllOf(each).size()).sum())
        .isEqualTo(BoundParts.MOST);
    assertThat(parts.wantsLoad()).isTrue();
  }

  @Test
  void loadThatFailedIsWantedAgain() {
    parts.beginLoad();
    parts.abandonLoad();

    assertThat(parts.wantsLoad()).isTrue();
    assertThat(parts.isBlind()).isTrue();
    parts.beginLoad();
    parts.endLoad();
    assertThat(parts.wantsLoad()).isFalse();
  }
}
