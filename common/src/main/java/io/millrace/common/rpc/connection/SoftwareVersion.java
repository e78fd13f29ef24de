package io.millrace.common.rpc.connection;

import io.millrace.common.rpc.HelloRules;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The version of Millrace that this process runs, as its jar says. */
public final class SoftwareVersion {
  /** Not the manifest: an application that is packed into one jar has another there. */
  private static final String POM = "/META-INF/maven/io.millrace/millrace-common/pom.properties";

  private static final @Nullable String HERE = read(POM);

  private SoftwareVersion() {}

  /** The version; null if this was not built into a jar. */
  public static @Nullable String here() {
    return HERE;
  }

  /** The version that a resource of this name says; null if there is none, or it says none. */
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
