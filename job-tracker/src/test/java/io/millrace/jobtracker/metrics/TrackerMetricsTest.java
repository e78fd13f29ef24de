package io.millrace.jobtracker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
      GroupReadings readings = readings(7);
      metrics.groupServed("orders", readings);
      assertThat(metrics.scrape()).contains(BACKLOG + "7.0");

      metrics.groupLeft("orders", readings);

      assertThat(metrics.scrape()).doesNotContain("millrace_backlog{");
      assertThat(metrics.scrape()).as("what was counted stays").contains("group=\"orders\"");
    }
  }

  /** A tracker may get a group back before it has left it in full. */
  @Test
  void groupThatCameBackIsShownAsItIsNow() {
    try (TrackerMetrics metrics = TrackerMetrics.own()) {
      GroupReadings before = readings(7);
      metrics.groupServed("orders", before);
      metrics.groupServed("orders", readings(8));
      assertThat(metrics.scrape()).contains(BACKLOG + "8.0");

      metrics.groupLeft("orders", before);

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
      metrics.groupServed("orders", readings(7));

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

  private static GroupReadings readings(long backlog) {
    return new GroupReadings() {
      @Override
      public long backlog() {
        return backlog;
      }

      @Override
      public long oldestDueAge() {
        return 0;
      }

      @Override
      public int freeSlots() {
        return 0;
      }

      @Override
      public int executing() {
        return 0;
      }

      @Override
      public int workers() {
        return 0;
      }
    };
  }
}
