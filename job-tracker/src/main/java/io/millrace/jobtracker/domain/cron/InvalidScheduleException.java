package io.millrace.jobtracker.domain.cron;

/** A malformed cron text. The message names the field and its position. */
public final class InvalidScheduleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param field the name of the bad field, such as {@code day-of-week}; {@code expression} for the
   *     whole text
   * @param position where it begins in the text, from zero
   */
  InvalidScheduleException(String field, int position, String what) {
    super("invalid cron " + field + " at position " + position + ": " + what);
  }
}
