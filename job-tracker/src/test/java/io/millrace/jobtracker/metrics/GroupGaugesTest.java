package io.millrace.jobtracker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.engine.ServedGroup;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GroupGaugesTest {
  private static final Lane GPU = new Lane(1, List.of("eu", "gpu"));

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final CountingGroup group = new CountingGroup();
  private final GroupGauges gauges = new GroupGauges(registry, group);

  /** Each of its figures shows how often the group was read. */
  private static final class CountingGroup implements ServedGroup {
    private int readings;

    @Override
    public String name() {
      return "orders";
    }

    @Override
    public GroupStats stats() {
      readings++;
      return new GroupStats(
          new Backlog(readings, 1_000),
          1_000 + readings * 1_000L,
          readings,
          readings,
          readings,
          false,
          false,
          Set.of(),
          new BatchStats(readings, readings, readings, readings, readings, readings * 1_000L),
          Map.of(GPU, (long) readings));
    }

    @Override
    public List<Worker> workers() {
      return List.of();
    }

    @Override
    public void drain(List<Drain> workers) {}

    @Override
    public void forget(Worker disconnected) {}
  }

  private Map<String, Double> scrape() {
    return registry.getMeters().stream()
        .collect(
            Collectors.toMap(meter -> meter.getId().toString(), meter -> ((Gauge) meter).value()));
  }

  @Test
  void scrapeReadsTheGroupOnce() {
    assertThat(scrape()).hasSize(11).values().containsOnly(1.0);
    assertThat(group.readings).isEqualTo(1);
  }

  @Test
  void laterScrapeReadsTheGroupAgain() {
    assertThat(scrape()).values().containsOnly(1.0);
    clock.add(GroupGauges.SHARED.minusNanos(1));
    assertThat(scrape()).values().containsOnly(1.0);

    clock.add(Duration.ofNanos(1));
    assertThat(scrape()).values().containsOnly(2.0);
    assertThat(group.readings).isEqualTo(2);
  }

  @Test
  void laneHasAGaugeOnceItWasCounted() {
    gauges.add(List.of(GPU));
    gauges.add(List.of(GPU));

    assertThat(scrape()).hasSize(12).values().containsOnly(1.0);
    assertThat(registry.get("millrace.backlog.lane").gauge().getId().getTag("labels"))
        .isEqualTo("eu,gpu");
  }

  @Test
  void gaugesAreRemovedTogether() {
    gauges.add(List.of(GPU));
    gauges.remove();

    assertThat(registry.getMeters()).isEmpty();
  }
}
