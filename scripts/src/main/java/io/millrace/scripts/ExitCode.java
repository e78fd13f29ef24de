package io.millrace.scripts;

/** The exit codes of all commands. A process ended by a signal exits with 128 plus its number. */
public final class ExitCode {

  /** The command succeeded. */
  public static final int OK = 0;

  /**
   * The input is valid but the command failed, for instance no tracker answered or a port is taken.
   */
  public static final int FAILED = 1;

  /**
   * The input is wrong: an option, a value or a file. Repeating the command unchanged fails again.
   */
  public static final int BAD_INPUT = 2;

  /** The tracker requires a token, or the given token does not permit the command. */
  public static final int NOT_ALLOWED = 3;

  /** The comparison succeeded and found differences. */
  public static final int DIFFERS = 4;

  private ExitCode() {}
}
