package io.millrace.spring.internal.config;

import io.millrace.api.OutboxException;
import io.millrace.api.TlsTrust;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientBuilder;
import io.millrace.spring.JobClientCustomizer;
import io.millrace.spring.TaskTrackerCustomizer;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the client and the worker of the application. */
final class Nodes {
  private final MillraceProperties properties;
  private final Application application;
  private final Connection connection;
  private final TrackerAddresses addresses;

  Nodes(
      MillraceProperties properties,
      Application application,
      Connection connection,
      TrackerAddresses addresses) {
    this.properties = properties;
    this.application = application;
    this.connection = connection;
    this.addresses = addresses;
  }

  /**
   * Returns the client, which begins to connect.
   *
   * @throws MillraceStartException naming what is wrong in the properties
   */
  JobClient client(Stream<JobClientCustomizer> customizers) {
    MillraceProperties.Client client = properties.client();
    String[] trackers = addresses.trackers();
    String token = connection.clientToken();
    TlsTrust tls = connection.tls();
    return checked(
        "client",
        client.outbox(),
        () -> {
          JobClientBuilder builder =
              JobClient.builder()
                  .trackers(trackers)
                  .token(token)
                  .tls(tls)
                  .requestTimeout(client.requestTimeout())
                  .connectTimeout(client.connectTimeout())
                  .closeTimeout(client.closeTimeout())
                  .maxJobsInFlight(client.maxJobsInFlight())
                  .outboxPatience(client.outboxPatience());
          set(application.clientGroup(), builder::clientGroup);
          set(application.nodeName(), builder::nodeName);
          set(client.outbox(), builder::outbox);
          customizers.forEach(customizer -> customizer.customize(builder));
          return builder.build();
        });
  }

  /**
   * Returns the worker, which is not started.
   *
   * @throws MillraceStartException naming what is wrong in the properties
   */
  TaskTracker worker(Map<String, JobRunner> runners, Stream<TaskTrackerCustomizer> customizers) {
    MillraceProperties.Worker worker = properties.worker();
    String[] trackers = addresses.trackers();
    String token = connection.workerToken();
    TlsTrust tls = connection.tls();
    String nodeGroup = application.nodeGroup();
    return checked(
        "worker",
        worker.outbox(),
        () -> {
          TaskTrackerBuilder builder =
              TaskTracker.builder()
                  .trackers(trackers)
                  .token(token)
                  .nodeGroup(nodeGroup)
                  .slots(worker.slots())
                  .labels(worker.labels().toArray(String[]::new))
                  .prefetch(worker.prefetch())
                  .pullInterval(worker.pullInterval())
                  .shutdownGrace(application.shutdownGrace())
                  .interruptGrace(worker.interruptGrace())
                  .maxStuckInvocations(worker.maxStuckInvocations())
                  .runnerThreads(application.threads(Runtime.version().feature()))
                  .interruptWhenLost(worker.interruptWhenLost());
          set(tls, builder::tls);
          set(worker.id(), builder::id);
          set(worker.outbox(), builder::outbox);
          customizers.forEach(customizer -> customizer.customize(builder));
          runners.forEach(builder::handler);
          return builder.build();
        });
  }

  private interface Setter<T> {
    Object set(T value);
  }

  private static <T> void set(@Nullable T value, Setter<T> setter) {
    if (value != null) {
      Object unused = setter.set(value);
    }
  }

  private static <T> T checked(String role, @Nullable Path outbox, Supplier<T> build) {
    String prefix = "millrace." + role + ".";
    try {
      return build.get();
    } catch (IllegalArgumentException wrong) {
      throw new MillraceStartException(
          "The %s of Millrace cannot be built: %s.".formatted(role, wrong.getMessage()),
          "Correct the property that sets this, " + prefix + "* or millrace.*, or the customizer.",
          wrong);
    } catch (OutboxException unusable) {
      throw new MillraceStartException(
          "The outbox %s of %soutbox cannot be used: %s"
              .formatted(outbox, prefix, unusable.getMessage()),
          "Name a directory that this process may write and no other process uses.",
          unusable);
    }
  }
}
