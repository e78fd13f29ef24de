package io.millrace.scripts.option;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the directory of a background node's pid file and log. */
public final class RunDirectory {

  @Option(
      names = "--run-dir",
      paramLabel = "DIR",
      defaultValue = "run",
      description =
          "Directory of the node's pid file and log, named after the configuration file. Default:"
              + " ${DEFAULT-VALUE}.")
  private Path path = Path.of("run");

  public Path path() {
    return path;
  }
}
