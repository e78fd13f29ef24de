package io.millrace.spring.internal.config;

import org.jspecify.annotations.Nullable;

/** The application is configured or written so that Millrace cannot start in it. */
public final class MillraceStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String action;

  /**
   * Creates a failure.
   *
   * @param description what is wrong and where
   * @param action what to change
   */
  public MillraceStartException(String description, String action) {
    this(description, action, null);
  }

  /** As the other constructor, with a cause. */
  public MillraceStartException(String description, String action, @Nullable Throwable cause) {
    super(description, cause);
    this.action = action;
  }

  /** Returns what to change. */
  public String action() {
    return action;
  }
}
