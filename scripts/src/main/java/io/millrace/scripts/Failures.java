package io.millrace.scripts;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.scripts.option.token.TokenSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Converts an exception into one line on the error stream and an exit code. */
final class Failures {
  private static final String OURS = "io.millrace.";

  private Failures() {}

  /** Reports invalid arguments. */
  static int badArguments(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String message = oneLine(isUnknownCommand(e) ? unknownCommand(e) : e.getMessage());
    command.getErr().println(name + ": " + message + " (see " + name + " --help)");
    return ExitCode.BAD_INPUT;
  }

  private static boolean isUnknownCommand(ParameterException e) {
    return e instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && !unmatched.getCommandLine().getSubcommands().isEmpty();
  }

  private static String unknownCommand(ParameterException e) {
    return "'" + ((UnmatchedArgumentException) e).getUnmatched().get(0) + "' is not a command";
  }

  /** Reports an exception that a command threw. */
  static int failed(Exception e, CommandLine command, ParseResult parsed) {
    String name = command.getCommandSpec().qualifiedName();
    LoggerFactory.getLogger(Failures.class).debug("{} failed", name, e);
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      command.getErr().println(name + ": interrupted");
      return ExitCode.FAILED;
    }
    command.getErr().println(name + ": " + describe(e));
    return exitCode(e);
  }

  private static int exitCode(Exception e) {
    if (e instanceof BadInputException) {
      return ExitCode.BAD_INPUT;
    }
    if (e instanceof NotAllowedException) {
      return ExitCode.NOT_ALLOWED;
    }
    return e.getCause() instanceof RpcException refusal ? exitCode(refusal) : ExitCode.FAILED;
  }

  /** Maps an RPC error to the exit code that the HTTP API gives for the same reason. */
  private static int exitCode(RpcException refusal) {
    return switch (refusal.code()) {
      case BAD_REQUEST -> ExitCode.BAD_INPUT;
      case UNAUTHENTICATED, FORBIDDEN -> ExitCode.NOT_ALLOWED;
      case UNSUPPORTED, VERSION_MISMATCH, UNAVAILABLE, OUTDATED, INTERNAL, UNKNOWN ->
          ExitCode.FAILED;
    };
  }

  private static String describe(Exception e) {
    if (e.getCause() instanceof RpcException refusal && exitCode(refusal) != ExitCode.FAILED) {
      return oneLine(refusal.getMessage()) + howToProve(refusal);
    }
    return isOurs(e)
        ? oneLine(e.getMessage())
        : oneLine(e.getClass().getSimpleName() + ": " + e.getMessage())
            + " (--log-level debug shows where)";
  }

  private static String howToProve(RpcException refusal) {
    return refusal.code() == ErrorCode.UNAUTHENTICATED
        ? "; the token is read from --token-file FILE or from " + TokenSource.VARIABLE
        : "";
  }

  /**
   * Returns whether the message explains the error: true for Millrace's own exception types, and
   * for IllegalStateException and IllegalArgumentException thrown by Millrace code.
   */
  private static boolean isOurs(Exception e) {
    boolean refusal = e instanceof IllegalStateException || e instanceof IllegalArgumentException;
    StackTraceElement[] trace = e.getStackTrace();
    return e.getClass().getName().startsWith(OURS)
        || (refusal && trace.length > 0 && trace[0].getClassName().startsWith(OURS));
  }

  private static String oneLine(@Nullable String message) {
    return message == null
        ? "no message"
        : message.strip().replaceAll(":\\s*\\R\\s*", ": ").replaceAll("\\s*\\R\\s*", "; ");
  }
}
