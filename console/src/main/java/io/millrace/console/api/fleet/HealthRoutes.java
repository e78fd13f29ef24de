package io.millrace.console.api.fleet;

import io.millrace.api.TrackerHealth;
import io.millrace.console.http.Call;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Route.Handler;
import io.millrace.console.http.Route.Trait;
import io.millrace.console.http.Scope;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Routes for the tracker's meters, and for the liveness and readiness of the process. Supervisors
 * that restart processes and load balancers use the latter two; they are open to all and report
 * nothing else.
 */
public record HealthRoutes(Supplier<TrackerHealth> health, Supplier<String> metrics) {
  private static final int NOT_READY = Problem.Kind.UNAVAILABLE.status();

  /** UP, or DOWN with the trouble. */
  public record Health(Status status, @Nullable String trouble) {}

  /** The state of health. */
  public enum Status {
    UP,
    DOWN
  }

  public List<Route> routes() {
    return List.of(
        route("", "health", "Whether the tracker is working; 503 if it is not", this::readiness),
        route("/ready", "readiness", "The same as /health", this::readiness),
        route(
            "/live",
            "liveness",
            "Whether the process answers",
            call -> new Health(Status.UP, null)),
        Resource.of("Metrics", "/metrics")
            .get("", "metrics", "The tracker's meters, in the text format of Prometheus")
            .within(Scope.all("meters count what all node groups do"))
            .answersText(call -> Reply.text(TrackerMetrics.CONTENT_TYPE, metrics.get())));
  }

  private static Route route(String suffix, String operation, String summary, Handler handler) {
    return Resource.of("Health", "/health")
        .get(suffix, operation, summary)
        .open()
        .within(Scope.none("it says whether the process works"))
        .is(Trait.FROM_MEMORY)
        .answers(Health.class, handler);
  }

  private Object readiness(Call call) {
    String trouble = health.get().trouble();
    return trouble == null
        ? new Health(Status.UP, null)
        : Reply.of(NOT_READY, new Health(Status.DOWN, trouble));
  }
}
