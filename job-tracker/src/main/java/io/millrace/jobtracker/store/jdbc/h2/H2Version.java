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

  /** Returns both versions. */
  public static H2Version ofClassPath() {
    // The compiler copies these numbers, but not the text, which H2 makes when it is loaded.
    String required =
        Constants.VERSION_MAJOR + "." + Constants.VERSION_MINOR + "." + Constants.BUILD_ID;
    return new H2Version(required, Constants.VERSION);
  }

  /** Whether a tracker can use the version on the class path. */
  public boolean fits() {
    return required.equals(found);
  }
}
