package io.millrace.scripts.option;

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
   * The file.
   *
   * @throws BadInputException if there is no such file to read
   */
  public Path readable() {
    if (!Files.isRegularFile(path)) {
      throw new BadInputException("--config " + path + ": there is no such file");
    }
    if (!Files.isReadable(path)) {
      throw new BadInputException("--config " + path + ": the file may not be read");
    }
    return path;
  }

  /** The file, which need not be there any more. */
  public Path path() {
    return path;
  }
}
