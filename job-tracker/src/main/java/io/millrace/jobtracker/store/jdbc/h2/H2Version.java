package io.millrace.jobtracker.store.jdbc.h2;

import org.h2.engine.Constants;

/**
 * The version of H2. A tracker needs the one for which it was built: it uses internals of H2, and
 * other versions lose commits. Build tools of applications exchange it easily.
 *
 * @param required the version for which this was built
 * @param found the version on the class path
 */
public record H2Version(String required, String found) {

  /** Reads both versions. */
  public static H2Version ofClassPath() {
    try {
      // The compiler has copied the constant of the build; only reflection sees the other one.
      Object found = Constants.class.getField("VERSION").get(null);
      return new H2Version(Constants.VERSION, String.valueOf(found));
    } catch (ReflectiveOperationException absent) {
      return new H2Version(Constants.VERSION, "unknown");
    }
  }

  /** Whether a tracker can use the version on the class path. */
  public boolean fits() {
    return required.equals(found);
  }
}
