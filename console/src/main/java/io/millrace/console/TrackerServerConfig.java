package io.millrace.console;

import io.millrace.common.config.Settings;
import io.millrace.console.alert.AlertConfig;
import io.millrace.console.alert.AlertConfigReader;
import io.millrace.jobtracker.config.JobTrackerConfig;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration file of a tracker says.
 *
 * @param tracker the tracker
 * @param console where it listens for those who operate it; null if it does not
 * @param alerts who is told what goes wrong; null if nobody is
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
   * @throws io.millrace.common.config.ConfigException naming everything that is wrong and where
   */
  public static TrackerServerConfig read(Settings settings) {
    return settings.finish(
        all ->
            new TrackerServerConfig(
                JobTrackerConfig.readPart(all),
                new ConsoleConfigReader(all).read(),
                new AlertConfigReader(all).read()));
  }

  /** The same with a console. */
  public TrackerServerConfig withConsole(ConsoleConfig where) {
    return new TrackerServerConfig(tracker, where, alerts);
  }

  /** The same with alerts. */
  public TrackerServerConfig withAlerts(AlertConfig told) {
    return new TrackerServerConfig(tracker, console, told);
  }
}
