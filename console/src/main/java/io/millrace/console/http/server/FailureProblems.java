package io.millrace.console.http.server;

import io.millrace.console.http.Problem;
import io.millrace.console.http.ProblemException;
import io.millrace.internal.codec.CodecException;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.pipeline.TransientFailures;
import java.util.concurrent.TimeoutException;

/** Maps failures to problems. */
final class FailureProblems {
  private FailureProblems() {}

  static Problem of(Throwable thrown) {
    Throwable failure = Completions.causeOf(thrown);
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof ProblemException known) {
      return known.problem();
    }
    if (failure instanceof CodecException) {
      return Problem.Kind.BAD_REQUEST.with(message);
    }
    if (failure instanceof RpcException answered) {
      return kindOf(answered).with(message);
    }
    if (TransientFailures.mayBeRepeated(failure)) {
      return Problem.Kind.UNAVAILABLE.with("try again later: " + message);
    }
    if (failure instanceof TimeoutException) {
      return Problem.Kind.UNAVAILABLE.with(
          "no answer in time; the operation may have been performed nevertheless");
    }
    return Problem.Kind.FAILED.with("see the tracker's log");
  }

  private static Problem.Kind kindOf(RpcException answered) {
    return switch (answered.code()) {
      case BAD_REQUEST -> Problem.Kind.BAD_REQUEST;
      case UNAVAILABLE -> Problem.Kind.UNAVAILABLE;
      case FORBIDDEN, UNAUTHENTICATED -> Problem.Kind.FORBIDDEN;
      default -> Problem.Kind.FAILED;
    };
  }
}
