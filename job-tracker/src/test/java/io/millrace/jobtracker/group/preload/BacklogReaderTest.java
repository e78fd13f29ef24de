package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.WaitingStore;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BacklogReaderTest extends ServiceTest {
  private static final int CAPACITY = 16;

  private final WaitingHead head =
      new WaitingHead(CAPACITY, 1 << 20, CAPACITY, MISFIRE_THRESHOLD, PriorityOrder.STRICT);

  @Test
  void whatMemoryHoldsInFullIsNotAskedOfTheStore() {
    long now = time.millis();
    load(true, now, now - 3_000, now - 5_000);

    Backlog backlog =
        new BacklogReader(GROUP, unreadable(), HandDrivenTracker.memory(head).heads()).read(now);

    assertThat(backlog).isEqualTo(new Backlog(3, now - 5_000));
    assertThat(backlog.oldestAge(now)).isEqualTo(5_000);
  }

  @Test
  void whatMemoryDoesNotHoldIsCountedInTheStore() {
    long now = time.millis();
    stores
        .waiting()
        .insert(
            GROUP,
            List.of(
                SampleTriggers.oneShot(1, 10, now - 1_000),
                SampleTriggers.oneShot(2, 100, now - 9_000),
                SampleTriggers.oneShot(3, 200, now),
                SampleTriggers.oneShot(4, 5, now + 1)));

    assertThat(reader().read(now)).isEqualTo(new Backlog(3, now - 9_000));
    assertThat(reader().read(now - 9_001)).isEqualTo(Backlog.NONE);
  }

  @Test
  void backlogIsCountedUpToTheBound() {
    long now = time.millis();
    stores
        .waiting()
        .insert(
            GROUP,
            LongStream.rangeClosed(1, Backlog.MOST_COUNTED + 5)
                .mapToObj(id -> SampleTriggers.oneShot(id, 100, now - 20_000 + id))
                .toList());

    assertThat(reader().read(now)).isEqualTo(new Backlog(Backlog.MOST_COUNTED, now - 19_999));
  }

  private BacklogReader reader() {
    return new BacklogReader(GROUP, stores.waiting(), HandDrivenTracker.memory(head).heads());
  }

  private void load(boolean complete, long... dueAt) {
    head.beginLoad()
        .end(
            LongStream.of(dueAt).mapToObj(at -> SampleTriggers.oneShot(at, 100, at)).toList(),
            complete,
            time.millis());
  }

  private static WaitingStore unreadable() {
    return (WaitingStore)
        Proxy.newProxyInstance(
            WaitingStore.class.getClassLoader(),
            new Class<?>[] {WaitingStore.class},
            (proxy, method, arguments) -> {
              throw new AssertionError("the store was asked to " + method.getName());
            });
  }
}
