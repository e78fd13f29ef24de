package io.millrace.console.api.fleet;

import io.millrace.common.model.TrackerHealth;
import io.millrace.console.http.Call;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Route;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Liveness and readiness of the process, for supervisors that restart processes and for load
 * balancers. Open to all; reports nothing else.
 */
public final class HealthRoutes {
  private static final int NOT_READY = Problem.Kind.UNAVAILABLE.status();

  private final Supplier<TrackerHealth> health;

  public HealthRoutes(Supplier<TrackerHealth> health) {
    this.health = health;
  }

  /** UP, or DOWN with the trouble. */
  public record Health(Status status, @Nullable String trouble) {}

  /** The state of health. */
  public enum Status {
    UP,
    DOWN
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/health", "health", "Whether the tracker is working; 503 if it is not")
            .about("Health")
            .open()
            .fromMemory()
            .answers(Health.class)
            .by(this::readiness),
        Route.get("/health/ready", "readiness", "The same as /health")
            .about("Health")
            .open()
            .fromMemory()
            .answers(Health.class)
            .by(this::readiness),
        Route.get("/health/live", "liveness", "Whether the process answers")
            .about("Health")
            .open()
            .fromMemory()
            .answers(Health.class)
            .by(call -> new Health(Status.UP, null)));
  }

  private Object readiness(Call call) {
    String trouble = health.get().trouble();
    return trouble == null
        ? new Health(Status.UP, null)
        : Reply.of(NOT_READY, new Health(Status.DOWN, trouble));
  }
}
