package io.millrace.scripts.option;

import io.millrace.console.TrackerServerConfig;
import io.millrace.internal.config.ConfigException;
import io.millrace.internal.config.Settings;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.scripts.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The configuration file of a tracker. */
public final class ConfigFile {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "Configuration of the tracker; conf/tracker.properties is a commented example.")
  private Path path = Path.of("");

  /**
   * Returns the path of the file.
   *
   * @throws BadInputException if the file does not exist or is not readable
   */
  public Path readable() {
    return readable(path);
  }

  private static Path readable(Path path) {
    BadInputException.unless(
        Files.isRegularFile(path), "--config " + path + ": the file does not exist");
    BadInputException.unless(
        Files.isReadable(path), "--config " + path + ": the file is not readable");
    return path;
  }

  /**
   * Reads the configuration.
   *
   * @throws BadInputException if there is no such file to read, or something in it is wrong
   */
  public TrackerServerConfig server() {
    return server(path);
  }

  /**
   * Reads the configuration of the tracker itself.
   *
   * @throws BadInputException if there is no such file to read, or something in it is wrong
   */
  public JobTrackerConfig tracker() {
    return server(path).tracker();
  }

  /** Reads the configuration from another file. */
  public static TrackerServerConfig server(Path file) {
    try {
      return TrackerServerConfig.read(Settings.load(readable(file)));
    } catch (ConfigException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the path of the file, which may no longer exist. */
  public Path path() {
    return path;
  }
}
