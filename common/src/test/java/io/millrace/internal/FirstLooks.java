package io.millrace.internal;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets Awaitility look at once, soon again, and then ever less often. By default it first looks
 * after a tenth of a second, which more than a thousand waits add up to minutes. The build
 * registers this for all tests of the modules that have it.
 */
public final class FirstLooks implements BeforeAllCallback {
  private static final Duration SHORTEST = Duration.ofMillis(5);
  private static final Duration LONGEST = Duration.ofMillis(100);

  /** The pause before the look of this number, from 1. */
  static Duration pauseBefore(int look, Duration before) {
    Duration next = look == 1 ? SHORTEST : before.multipliedBy(2);
    return next.compareTo(LONGEST) < 0 ? next : LONGEST;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultPollInterval(FirstLooks::pauseBefore);
  }
}
