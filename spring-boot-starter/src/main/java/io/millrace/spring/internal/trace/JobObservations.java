package io.millrace.spring.internal.trace;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.millrace.spring.internal.handler.RunnerDecorator;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An observation of each run, which a tracer makes a span whose parent is the trace of the job.
 * Thread-safe.
 */
final class JobObservations implements RunnerDecorator {
  static final String NAME = "millrace.job";

  private final ObservationRegistry registry;

  JobObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public JobRunner decorate(String handler, JobRunner runner) {
    return context -> run(handler, runner, context);
  }

  private @Nullable Result run(String handler, JobRunner runner, JobContext context)
      throws Throwable {
    ReceiverContext<JobContext> received =
        new ReceiverContext<>(JobObservations::header, Kind.CONSUMER);
    received.setCarrier(context);
    received.setRemoteServiceName("millrace");
    Observation observation =
        Observation.createNotStarted(NAME, () -> received, registry)
            .contextualName("job " + handler)
            .lowCardinalityKeyValue("handler", handler)
            .lowCardinalityKeyValue("group", context.nodeGroup())
            .highCardinalityKeyValue("task.id", context.taskId())
            .highCardinalityKeyValue("execution.id", Long.toString(context.executionId()))
            .highCardinalityKeyValue("attempt", Integer.toString(context.attempt()));
    String outcome = "THROWN";
    observation.start();
    try (Observation.Scope scope = observation.openScope()) {
      Result result = runner.run(context);
      outcome = result == null ? "SUCCESS" : result.outcome().name();
      return result;
    } catch (Throwable failure) {
      observation.error(failure);
      throw failure;
    } finally {
      observation.lowCardinalityKeyValue("outcome", outcome);
      observation.stop();
    }
  }

  /** Returns a header of the W3C Trace Context; a job has no others. */
  private static @Nullable String header(JobContext job, String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "traceparent" -> job.traceParent();
      case "tracestate" -> job.traceState();
      default -> null;
    };
  }
}
