package io.millrace.scripts.api;

import io.millrace.common.codec.Codec;
import io.millrace.common.codec.CodecException;
import io.millrace.console.http.Problem;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.NotAllowedException;
import java.util.Optional;

/** Turns what the API refused into the exception that decides the exit code. */
final class Refusals {
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHENTICATED = 401;
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;
  private static final int TOO_LARGE = 413;
  private static final int MEDIA_TYPE = 415;
  private static final int REJECTED = 422;
  private static final int FAILED = 500;

  private Refusals() {}

  /**
   * The exception to throw; its message is the problem's, in one line.
   *
   * @param hasToken whether a token went with the request
   */
  static RuntimeException of(ApiUrl url, int status, String body, boolean hasToken, Codec codec) {
    if (status == UNAUTHENTICATED && !hasToken) {
      return new NotAllowedException(
          "no token was given: "
              + url
              + " answers those of operators; set "
              + ApiClient.TOKEN_VARIABLE
              + " or write --token-file FILE");
    }
    String said = problem(body, codec).map(Refusals::words).orElse(url + " answered " + status);
    return switch (status) {
      case BAD_REQUEST, TOO_LARGE, MEDIA_TYPE, REJECTED -> new BadInputException(said);
      case UNAUTHENTICATED, FORBIDDEN -> new NotAllowedException(said);
      case CONFLICT -> new ConflictException(said, body);
      default -> new CommandFailedException(said);
    };
  }

  /**
   * The detail says it all; only of the tracker's own failures the title says what the detail is
   * about.
   */
  private static String words(Problem problem) {
    return problem.detail().isBlank() || problem.status() >= FAILED
        ? problem.title() + ": " + problem.detail()
        : problem.detail();
  }

  /** Empty if whoever answered is no tracker, such as a proxy before it. */
  private static Optional<Problem> problem(String body, Codec codec) {
    try {
      return Optional.of(codec.decodeText(body, Problem.class));
    } catch (CodecException e) {
      return Optional.empty();
    }
  }
}
