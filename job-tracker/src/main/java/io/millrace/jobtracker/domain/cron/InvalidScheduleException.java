package io.millrace.jobtracker.domain.cron;

/** A malformed cron text. The message names the field and its position. */
public final class InvalidScheduleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final int position;

  InvalidScheduleException(String field, int position, String what) {
    super("invalid cron " + field + " at position " + position + ": " + what);
    this.field = field;
    this.position = position;
  }

  /**
   * The name of the bad field, such as {@code day-of-week}; {@code expression} for the whole text.
   */
  public String field() {
    return field;
  }

  /** Where the bad field begins in the text, from zero. */
  public int position() {
    return position;
  }
}
