package io.millrace.jobtracker.domain.cron;

/** A cron text that says nothing computable. The message names the field and where it stands. */
public final class InvalidScheduleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final int position;

  InvalidScheduleException(String field, int position, String what) {
    super("bad cron " + field + " at position " + position + ": " + what);
    this.field = field;
    this.position = position;
  }

  /** The name of the bad field, such as {@code day-of-week}; {@code expression} if it is none. */
  public String field() {
    return field;
  }

  /** Where the bad field begins in the text, from zero. */
  public int position() {
    return position;
  }
}
