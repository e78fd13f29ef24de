package io.millrace.scripts.api;

import io.millrace.console.http.Problem;
import io.millrace.internal.codec.CodecException;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.NotAllowedException;
import java.util.Optional;

/** Converts an error response of the API into the exception that decides the exit code. */
final class Refusals {
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHENTICATED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int TOO_LARGE = 413;
  private static final int MEDIA_TYPE = 415;
  private static final int REJECTED = 422;
  private static final int FAILED = 500;

  private Refusals() {}

  /**
   * Returns the exception to throw; its one-line message is that of the problem.
   *
   * @param hasToken whether the request carried a token
   */
  static RuntimeException of(
      ApiUrl url, int status, String body, boolean hasToken, JsonCodec codec) {
    if (status == UNAUTHENTICATED && !hasToken) {
      return new NotAllowedException(
          "no token was given, but "
              + url
              + " needs the token of an operator; set "
              + ApiClient.TOKEN_VARIABLE
              + " or use --token-file FILE");
    }
    Optional<Problem> problem = problem(body, codec);
    String said = problem.map(Refusals::words).orElse(url + " answered " + status);
    return switch (status) {
      case BAD_REQUEST, TOO_LARGE, MEDIA_TYPE, REJECTED -> new BadInputException(said);
      case UNAUTHENTICATED, FORBIDDEN -> new NotAllowedException(said);
      case NOT_FOUND ->
          problem.isPresent() ? new NotFoundException(said) : new CommandFailedException(said);
      case CONFLICT -> new ConflictException(said, body);
      case PRECONDITION_FAILED -> new PreconditionFailedException(said);
      default -> new CommandFailedException(said);
    };
  }

  /**
   * Returns the name of the fault, if it has one, and the detail, which is sufficient for rejected
   * requests. Server errors and blank details also need the title.
   */
  private static String words(Problem problem) {
    String detail =
        problem.code() == null ? problem.detail() : problem.code() + ": " + problem.detail();
    return problem.detail().isBlank() || problem.status() >= FAILED
        ? problem.title() + ": " + detail
        : detail;
  }

  /**
   * Decodes the problem; empty if the response does not come from a tracker but, for example, from
   * a proxy.
   */
  private static Optional<Problem> problem(String body, JsonCodec codec) {
    try {
      return Optional.of(codec.decodeText(body, Problem.class));
    } catch (CodecException e) {
      return Optional.empty();
    }
  }
}
