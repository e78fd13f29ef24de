package io.millrace.scripts;

/** The exit codes of every command. A process ended by a signal has 128 plus its number instead. */
public final class ExitCode {

  /** Done. */
  public static final int OK = 0;

  /** The input was good, but it could not be done: no tracker answered, a port is taken. */
  public static final int FAILED = 1;

  /** The input was wrong: an option, a value, a file. Repeating it unchanged is useless. */
  public static final int BAD_INPUT = 2;

  /** The tracker lets nobody do it without a token, or not with this one. */
  public static final int NOT_ALLOWED = 3;

  /** What was to be compared could be, and differs. */
  public static final int DIFFERS = 4;

  private ExitCode() {}
}
