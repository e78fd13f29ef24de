package io.millrace.internal.rpc.connection;

import io.millrace.internal.rpc.HelloRules;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The version of Millrace that this process runs, from its jar. */
public final class SoftwareVersion {
  /** Not the manifest: an application packed into one jar has its own manifest. */
  private static final String POM = "/META-INF/maven/io.millrace/millrace-common/pom.properties";

  private static final @Nullable String HERE = read(POM);

  private SoftwareVersion() {}

  /** The version; null if this was not built into a jar. */
  public static @Nullable String here() {
    return HERE;
  }

  /**
   * The version in this resource; null if there is no such resource, or it cannot be read, or its
   * version is missing or too long.
   */
  static @Nullable String read(String resource) {
    try (InputStream pom = SoftwareVersion.class.getResourceAsStream(resource)) {
      if (pom == null) {
        return null;
      }
      Properties properties = new Properties();
      properties.load(pom);
      String version = properties.getProperty("version", "").strip();
      return version.isEmpty() || version.length() > HelloRules.MAX_SOFTWARE_CHARS ? null : version;
    } catch (IOException e) {
      return null;
    }
  }
}
