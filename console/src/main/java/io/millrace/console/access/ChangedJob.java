package io.millrace.console.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.codec.CodecException;
import io.millrace.internal.codec.JsonCodec;
import java.net.URLDecoder;
import org.jspecify.annotations.Nullable;

/** The job that a request is about, as the audit names it. */
final class ChangedJob {
  private static final String JOBS = "/api/v1/jobs";
  private static final JsonCodec CODEC = new JsonCodec();

  /** What names the job in the body of a request that submits one. */
  private record Key(@Nullable String nodeGroup, @Nullable String taskId) {}

  private ChangedJob() {}

  /**
   * Returns the node group, a slash and the task id; null if the request is about no job.
   *
   * @param target the path of the request, percent-encoded
   * @param detail the body of the request; null if it had none
   */
  static @Nullable String of(String target, @Nullable String detail) {
    if (target.equals(JOBS)) {
      return detail == null ? null : inBody(detail);
    }
    return target.startsWith(JOBS + "/") ? inPath(target.substring(JOBS.length() + 1)) : null;
  }

  private static @Nullable String inPath(String rest) {
    String[] parts = rest.split("/", -1);
    if (parts.length < 2) {
      return null;
    }
    try {
      return decoded(parts[0]) + "/" + decoded(parts[1]);
    } catch (IllegalArgumentException e) {
      return null; // no percent-encoding
    }
  }

  /** In a path, unlike in a form, a plus sign is no blank. */
  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), UTF_8);
  }

  private static @Nullable String inBody(String body) {
    try {
      Key key = CODEC.decodeText(body, Key.class);
      return key.nodeGroup() == null || key.taskId() == null
          ? null
          : key.nodeGroup() + "/" + key.taskId();
    } catch (CodecException e) {
      return null; // the request is refused for its body
    }
  }
}
