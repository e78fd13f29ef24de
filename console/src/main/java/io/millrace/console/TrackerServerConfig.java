package io.millrace.console;

import io.millrace.console.alert.AlertConfig;
import io.millrace.console.alert.AlertConfigReader;
import io.millrace.internal.config.Settings;
import io.millrace.jobtracker.config.JobTrackerConfig;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a tracker, its console and its alerts.
 *
 * @param tracker the tracker
 * @param console the console; null for none
 * @param alerts the alert receivers and rules; null for no alerts
 */
public record TrackerServerConfig(
    JobTrackerConfig tracker, @Nullable ConsoleConfig console, @Nullable AlertConfig alerts) {

  /** A tracker without a console and without alerts. */
  public TrackerServerConfig(JobTrackerConfig tracker) {
    this(tracker, null, null);
  }

  /**
   * Reads a configuration file.
   *
   * @throws io.millrace.internal.config.ConfigException that lists every error and its place
   */
  public static TrackerServerConfig read(Settings settings) {
    return settings.finish(
        all ->
            new TrackerServerConfig(
                JobTrackerConfig.readPart(all),
                new ConsoleConfigReader(all).read(),
                new AlertConfigReader(all).read()));
  }

  /** Returns this configuration with a console. */
  public TrackerServerConfig withConsole(ConsoleConfig where) {
    return new TrackerServerConfig(tracker, where, alerts);
  }

  /** Returns this configuration with alerts. */
  public TrackerServerConfig withAlerts(AlertConfig told) {
    return new TrackerServerConfig(tracker, console, told);
  }
}
