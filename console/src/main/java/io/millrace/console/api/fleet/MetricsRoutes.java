package io.millrace.console.api.fleet;

import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import java.util.List;
import java.util.function.Supplier;

/** The tracker's meters in the Prometheus format. */
public record MetricsRoutes(Supplier<String> scrape) {

  public List<Route> routes() {
    return List.of(
        Resource.of("Metrics", "/metrics")
            .get("", "metrics", "The tracker's meters, in the text format of Prometheus")
            .answersText(call -> Reply.text(TrackerMetrics.CONTENT_TYPE, scrape.get())));
  }
}
