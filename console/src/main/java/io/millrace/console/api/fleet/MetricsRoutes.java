package io.millrace.console.api.fleet;

import io.millrace.console.http.Reply;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import java.util.List;
import java.util.function.Supplier;

/** The tracker's meters in the Prometheus format. */
public final class MetricsRoutes {
  private final Supplier<String> scrape;

  public MetricsRoutes(Supplier<String> scrape) {
    this.scrape = scrape;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/metrics", "metrics", "The tracker's meters, in the text format of Prometheus")
            .about("Metrics")
            .by(call -> Reply.text(TrackerMetrics.CONTENT_TYPE, scrape.get())));
  }
}
