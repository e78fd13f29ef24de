package io.millrace.jobtracker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.engine.ServedGroup;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrackerMetricsTest {
  private static final String BACKLOG = "millrace_backlog{group=\"orders\"} ";

  @Test
  void groupIsShownWhileItIsServed() {
    try (TrackerMetrics metrics = TrackerMetrics.own()) {
      ServedGroup group = group(7);
      metrics.groupServed(group);
      assertThat(metrics.scrape()).contains(BACKLOG + "7.0");

      metrics.groupLeft(group);

      assertThat(metrics.scrape()).doesNotContain("millrace_backlog{");
      assertThat(metrics.scrape()).as("what was counted stays").contains("group=\"orders\"");
    }
  }

  /** A tracker may get a group back before it has left it in full. */
  @Test
  void groupThatCameBackIsShownAsItIsNow() {
    try (TrackerMetrics metrics = TrackerMetrics.own()) {
      ServedGroup before = group(7);
      metrics.groupServed(before);
      metrics.groupServed(group(8));
      assertThat(metrics.scrape()).contains(BACKLOG + "8.0");

      metrics.groupLeft(before);

      assertThat(metrics.scrape()).contains(BACKLOG + "8.0");
    }
  }

  @Test
  void aRegistryThatWasGivenHoldsTheSameMetersButThoseOfTheJvm() {
    SimpleMeterRegistry given = new SimpleMeterRegistry();
    try (TrackerMetrics metrics = TrackerMetrics.beside(given)) {
      metrics.claimed("orders", 3);

      assertThat(given.get("millrace.executions.claimed").counter().count()).isEqualTo(3);
      assertThat(metrics.scrape())
          .contains("millrace_executions_claimed_total{group=\"orders\"} 3.0")
          .contains("jvm_memory_used_bytes");
      assertThat(names(given)).noneMatch(name -> name.startsWith("jvm."));
    }
  }

  @Test
  void unwatchedMetersCostNothingAndShowNothing() {
    try (TrackerMetrics metrics = TrackerMetrics.unwatched()) {
      metrics.claimed("orders", 3);
      metrics.ran("orders", null, 1);
      metrics.groupServed(group(7));

      assertThat(metrics.isWatched()).isFalse();
      assertThat(metrics.scrape()).isEmpty();
    }
  }

  @Test
  void handlersBeyondTheBoundOfAGroupShareTheirMeters() {
    SimpleMeterRegistry given = new SimpleMeterRegistry();
    try (TrackerMetrics metrics = TrackerMetrics.beside(given)) {
      IntStream.range(0, 200).forEach(i -> metrics.ran("orders", "handler-" + i, 1));
      metrics.ran("orders", "handler-0", 1);

      assertThat(handlers(given))
          .hasSize(HandlerNames.MOST_OF_A_GROUP + 1)
          .contains("handler-0", "handler-49", "other");
      assertThat(runs(given, "other")).isEqualTo(150);
      assertThat(runs(given, "handler-0")).isEqualTo(2);
    }
  }

  @Test
  void handlersOfAllGroupsTogetherAreBoundedToo() {
    HandlerNames names = new HandlerNames();
    List<String> given =
        IntStream.range(0, HandlerNames.MOST + 10)
            .mapToObj(i -> names.nameFor("handler-" + i, 0))
            .toList();

    assertThat(given.subList(0, HandlerNames.MOST)).doesNotContain(HandlerNames.OTHER);
    assertThat(given.subList(HandlerNames.MOST, given.size())).containsOnly(HandlerNames.OTHER);
  }

  private static long runs(SimpleMeterRegistry meters, String handler) {
    return meters.get("millrace.run.time").tag("handler", handler).timer().count();
  }

  private static Set<String> handlers(SimpleMeterRegistry meters) {
    return meters.find("millrace.run.time").timers().stream()
        .map(timer -> timer.getId().getTag("handler"))
        .collect(Collectors.toSet());
  }

  private static Set<String> names(SimpleMeterRegistry meters) {
    return meters.getMeters().stream()
        .map(Meter::getId)
        .map(Meter.Id::getName)
        .collect(Collectors.toSet());
  }

  private static ServedGroup group(long backlog) {
    return new ServedGroup() {
      @Override
      public String name() {
        return "orders";
      }

      @Override
      public GroupStats stats() {
        return new GroupStats(new Backlog(backlog, 1), 2, 0, 0, 0, false, false, Set.of());
      }

      @Override
      public List<Worker> workers() {
        return List.of();
      }

      @Override
      public void drain(List<Drain> workers) {}

      @Override
      public void forget(Worker disconnected) {}
    };
  }
}
