package io.millrace.scripts.option;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Who runs a command, and where: what trackers record with a pause or a submit. */
public final class ProcessName {
  private static final Path HOST_NAME_FILE = Path.of("/etc/hostname");
  private static final String NOBODY = "unknown";

  private ProcessName() {}

  /** User, host and process, such as {@code alice@build-7#4711}. */
  public static String ofThisProcess() {
    return "%s@%s#%d"
        .formatted(
            orNobody(System.getProperty("user.name", "")),
            host(System.getenv(), HOST_NAME_FILE),
            ProcessHandle.current().pid());
  }

  /** The machine's own word for itself; a name service, which may be slow, is asked last. */
  static String host(Map<String, String> environment, Path file) {
    String told =
        Objects.requireNonNullElse(
            environment.get("HOSTNAME"), environment.getOrDefault("COMPUTERNAME", ""));
    String written = told.isBlank() ? read(file) : told;
    return orNobody(written.isBlank() ? asked() : written);
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

  private static String orNobody(String name) {
    return name.isBlank() ? NOBODY : name.strip();
  }
}
