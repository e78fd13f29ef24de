package io.millrace.console.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a request failed, as {@code application/problem+json} (RFC 9457).
 *
 * @param type a name of the kind of problem, for programs
 * @param title the kind in words
 * @param status the HTTP status
 * @param detail what was wrong, and where
 * @param code names the fault for programs, such as {@code BAD_CRON}; null if it has no name
 * @param currentVersion the version of the resource, if it has changed since the request's version;
 *     otherwise null
 * @param changed the fields that have changed since; null if not known
 */
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    @Nullable String code,
    @Nullable Integer currentVersion,
    @Nullable List<ChangedField> changed) {
  public static final String MEDIA_TYPE = "application/problem+json";

  /**
   * A field that has changed.
   *
   * @param now its value as JSON, cut if it is long; null if it has no value
   */
  public record ChangedField(String field, @Nullable String now) {}

  /** The kinds of problems. */
  public enum Kind {
    BAD_REQUEST(400, "The request is invalid; do not repeat it unchanged"),
    UNAUTHENTICATED(401, "The request has no valid token or session"),
    FORBIDDEN(403, "The token or the page is not allowed to do this"),
    NOT_FOUND(404, "The resource does not exist"),
    METHOD_NOT_ALLOWED(405, "The method is not allowed"),
    CONFLICT(409, "The current state does not allow this"),
    PRECONDITION_FAILED(412, "The resource has changed since the version named in the request"),
    TOO_LARGE(413, "The request is too large"),
    MEDIA_TYPE(415, "The media type of the body is not supported"),
    REJECTED(422, "The request is well-formed, but its content is not allowed"),
    FAILED(500, "The tracker failed; its log says why"),
    UNAVAILABLE(503, "Temporarily unavailable; try again");

    private final int status;
    private final String title;

    Kind(int status, String title) {
      this.status = status;
      this.title = title;
    }

    public int status() {
      return status;
    }

    public Problem with(String detail) {
      String name = name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
      return new Problem("urn:millrace:problem:" + name, title, status, detail, null, null, null);
    }

    public ProblemException because(String detail) {
      return new ProblemException(with(detail));
    }

    /** A problem whose fault has a name for programs. */
    public ProblemException because(String code, String detail) {
      Problem plain = with(detail);
      return new ProblemException(
          new Problem(plain.type, plain.title, plain.status, detail, code, null, null));
    }
  }

  /** A problem for a resource whose version has changed. */
  public static ProblemException changedSince(
      String detail, int currentVersion, @Nullable List<ChangedField> changed) {
    Problem plain = Kind.PRECONDITION_FAILED.with(detail);
    return new ProblemException(
        new Problem(plain.type, plain.title, plain.status, detail, null, currentVersion, changed));
  }

  /** The kind for an HTTP status that the server set itself. */
  public static Kind ofStatus(int status) {
    for (Kind kind : Kind.values()) {
      if (kind.status == status) {
        return kind;
      }
    }
    return status >= 400 && status < 500 ? Kind.BAD_REQUEST : Kind.FAILED;
  }
}
