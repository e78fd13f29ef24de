package io.millrace.console;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.console.alert.AlertConfig;
import io.millrace.console.alert.AlertReceivers;
import io.millrace.console.alert.monitor.AlertMeters;
import io.millrace.console.alert.monitor.Alerting;
import io.millrace.console.http.HttpLimits;
import io.millrace.internal.lifecycle.ServiceGroup;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.OpenFiles;
import io.millrace.jobtracker.config.JobTrackerConfig;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tracker with its console and its alert receivers, as the command {@code millrace tracker} runs
 * it. Start once, close once; closing twice, or without a start, is harmless. Thread-safe.
 */
public final class TrackerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TrackerServer.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final JobTracker tracker;
  private final @Nullable ConsoleConfig consoleConfig;
  private final ServiceGroup services;
  private @Nullable Console console;

  private TrackerServer(
      JobTracker tracker, @Nullable ConsoleConfig consoleConfig, ServiceGroup services) {
    this.tracker = tracker;
    this.consoleConfig = consoleConfig;
    this.services = services;
    // Also without receivers: alert rules and dashboards find the meters of every tracker.
    AlertMeters unused = new AlertMeters(tracker.metrics().registry());
  }

  /**
   * Creates a tracker with its own meter registry.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or migrated
   */
  public static TrackerServer create(TrackerServerConfig config) {
    return create(config, null);
  }

  /**
   * Creates a tracker.
   *
   * @param meters a registry that receives the tracker's meters as well; null for none
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or migrated
   */
  public static TrackerServer create(TrackerServerConfig config, @Nullable MeterRegistry meters) {
    ServiceGroup services = new ServiceGroup("receivers of alerts", PATIENCE, Runnable::run);
    AlertConfig alerts = config.alerts();
    ConsoleConfig console = config.console();
    try {
      Alerting alerting =
          alerts == null ? null : AlertReceivers.open(alerts, new SystemClock(), services);
      if (console == null) {
        return new TrackerServer(
            JobTracker.create(config.tracker(), meters, alerting), null, services);
      }
      OpenFiles files = OpenFiles.ofThisProcess();
      ConsoleConfig fitting = console.within(console.limits().fitting(files.most()));
      warnOfShortage(files, config.tracker(), fitting.limits());
      JobTrackerConfig withConnections =
          config.tracker().withMoreConnections(ConsoleConfig.THREADS);
      return new TrackerServer(
          JobTracker.create(withConnections, meters, alerting), fitting, services);
    } catch (RuntimeException | Error e) {
      services.close();
      throw e;
    }
  }

  /**
   * Warns if the console needs more open files than the process may have. The tracker itself warns
   * if there are too few for its nodes.
   */
  private static void warnOfShortage(OpenFiles files, JobTrackerConfig tracker, HttpLimits http) {
    long ofNodes = tracker.rpc().together().maxConnections();
    if (files.shortage(ofNodes, "").isEmpty()) {
      files
          .shortage(
              ofNodes + http.connections() + HttpLimits.KEPT_FOR_HEALTH,
              "rpc.max-connections (%d) and console.max-connections are".formatted(ofNodes))
          .ifPresent(shortage -> LOG.warn("tracker: {}", shortage));
    }
  }

  /**
   * Starts the tracker, then the console.
   *
   * @throws io.millrace.internal.rpc.RpcException if it cannot listen for nodes
   * @throws IllegalStateException if it cannot listen for operators
   */
  public synchronized void start() {
    try {
      tracker.start();
      if (consoleConfig != null) {
        console = Console.open(consoleConfig, tracker.operations());
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The tracker; {@link #close} closes it. */
  public JobTracker tracker() {
    return tracker;
  }

  /** The address for nodes, as host:port. */
  public String address() {
    return tracker.address();
  }

  /** The URL for operators; empty without a console, or before the start. */
  public synchronized Optional<String> consoleUrl() {
    return Optional.ofNullable(console).map(Console::url);
  }

  /** The first operator token of the store, if this tracker issued it at its start. */
  public synchronized Optional<String> firstOperatorToken() {
    return Optional.ofNullable(console).flatMap(Console::firstToken);
  }

  /** Closes the console first, then the tracker, and the alert receivers last. */
  @Override
  public synchronized void close() {
    try (services;
        tracker) {
      if (console != null) {
        console.close();
      }
    }
  }
}
