package io.millrace.scripts.option;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** The name of this process, which trackers record with a pause or a submit. */
public final class ProcessName {
  private static final Path HOST_NAME_FILE = Path.of("/etc/hostname");
  private static final String UNKNOWN = "unknown";

  private ProcessName() {}

  /** Returns user, host and process id, for example {@code alice@build-7#4711}. */
  public static String ofThisProcess() {
    return "%s@%s#%d"
        .formatted(
            orUnknown(System.getProperty("user.name", "")),
            host(System.getenv(), HOST_NAME_FILE),
            ProcessHandle.current().pid());
  }

  /**
   * Returns the host name from the environment or the file. Queries the name service, which may be
   * slow, only as a last resort.
   */
  static String host(Map<String, String> environment, Path file) {
    String given =
        Objects.requireNonNullElse(
            environment.get("HOSTNAME"), environment.getOrDefault("COMPUTERNAME", ""));
    String written = given.isBlank() ? read(file) : given;
    return orUnknown(written.isBlank() ? asked() : written);
  }

  private static String read(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static String asked() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }

  private static String orUnknown(String name) {
    return name.isBlank() ? UNKNOWN : name.strip();
  }
}
