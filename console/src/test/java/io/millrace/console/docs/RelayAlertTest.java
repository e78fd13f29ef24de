package io.millrace.console.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.internal.metrics.RelayMeters;
import io.millrace.jobclient.internal.relay.DatabaseClock;
import io.millrace.jobclient.internal.relay.RelayDatabase;
import io.millrace.jobclient.internal.relay.RelayDuty;
import io.millrace.jobclient.internal.relay.RelayTables;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.Timeouts;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alert rule for relays, with what is scraped of a relay that gets nowhere. */
class RelayAlertTest {
  /** The meter, and the threshold in seconds. */
  private static final Pattern HIGHEST_ABOVE =
      Pattern.compile("max by \\(client_group\\) \\((millrace_[a-z_]+)\\) > (\\d+)");

  private static final Duration SCRAPED_EVERY = Duration.ofSeconds(15);

  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));

  @Test
  void lagOfMoreThanAMinuteExceedsTheThresholdFromThenOn() throws IOException {
    Map<String, Object> rule = AlertRulesTest.rule("MillraceRelayLags");
    TrackerMetrics metrics = TrackerMetrics.own();
    List<Boolean> exceeded = new ArrayList<>();
    try (RelayMeters meters = new RelayMeters(metrics.registry(), "shop")) {
      RelayDuty relay = relay(meters);
      meters.show(relay);
      for (int scrape = 0; scrape < 8; scrape++) {
        relay.runOnce(clock.millis());
        exceeded.add(isExceeded(rule, metrics.scrape()));
        clock.advance(SCRAPED_EVERY);
      }
    } finally {
      metrics.close();
    }

    assertThat(exceeded)
        .as("after 0, 15, 30, 45, 60 s; 75, 90, 105 s")
        .containsExactly(false, false, false, false, false, true, true, true);
  }

  @Test
  void relayOfAnApplicationThatLagsMostCounts() throws IOException {
    Map<String, Object> rule = AlertRulesTest.rule("MillraceRelayLags");
    String scrape =
        """
        # TYPE millrace_relay_lag_seconds gauge
        millrace_relay_lag_seconds{client_group="shop"} %s
        millrace_relay_lag_seconds{client_group="shop"} 0.0
        """;

    assertThat(isExceeded(rule, scrape.formatted("60.0"))).isFalse();
    assertThat(isExceeded(rule, scrape.formatted("60.001"))).isTrue();
  }

  private static boolean isExceeded(Map<String, Object> rule, String scrape) {
    Matcher expr = HIGHEST_ABOVE.matcher(String.valueOf(rule.get("expr")));
    assertThat(expr.matches()).as(String.valueOf(rule.get("expr"))).isTrue();
    List<Double> samples =
        scrape
            .lines()
            .filter(line -> line.startsWith(expr.group(1) + "{"))
            .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
            .toList();
    assertThat(samples).as(expr.group(1)).isNotEmpty();
    return Collections.max(samples) > Double.parseDouble(expr.group(2));
  }

  /** A relay whose database does not answer. */
  private RelayDuty relay(RelayMeters meters) {
    RequestContext context =
        new RequestContext(
            new NoTracker(),
            new TimedExecutor(clock, new ManualTimer(clock), Runnable::run),
            new Random(1),
            Timeouts.of(Duration.ofSeconds(3)));
    return new RelayDuty(
        context,
        new RelayDatabase(MetricsDocTest.noDatabase(), DatabaseClock.ITS_OWN),
        new RelayTables(RelayTables.DEFAULT_PREFIX),
        Duration.ofSeconds(15),
        meters);
  }

  private static final class NoTracker implements TrackerLink {

    @Override
    public Session session() {
      return null;
    }

    @Override
    public RpcException refusal() {
      return null;
    }

    @Override
    public String describe() {
      return "no tracker";
    }
  }
}
