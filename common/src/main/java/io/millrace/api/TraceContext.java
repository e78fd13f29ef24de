package io.millrace.api;

import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a job is part of, in the form of the W3C Trace Context recommendation
 * (https://www.w3.org/TR/trace-context/). Every run of the job receives it unchanged; the
 * application's own tracer starts spans. Immutable.
 *
 * @param traceParent version, trace id, parent id and flags in hexadecimal, such as {@code
 *     00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01}
 * @param traceState vendor-specific trace data: comma-separated {@code key=value}; null if there is
 *     none
 */
public record TraceContext(String traceParent, @Nullable String traceState) {
  /** Largest length of a trace parent: 55 characters in the present version, more in later ones. */
  public static final int MAX_PARENT_CHARS = 128;

  /** Largest length of a trace state in characters. */
  public static final int MAX_STATE_CHARS = 512;

  /** Largest number of members of a trace state. */
  public static final int MAX_STATE_MEMBERS = 32;

  private static final int TRACE_ID_BEGIN = 3;
  private static final int TRACE_ID_END = 35;

  private static final String IDS_AND_FLAGS =
      "-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}";

  /**
   * Version 00 ends with the flags; a later version may continue after a hyphen; ff is not a
   * version.
   */
  private static final Pattern PARENT =
      Pattern.compile(
          "00" + IDS_AND_FLAGS + "|(?!00|ff)[0-9a-f]{2}" + IDS_AND_FLAGS + "(-[!-~]*)?");

  private static final Pattern STATE_MEMBER =
      Pattern.compile("[a-z0-9][a-z0-9_*/@-]{0,255}=[ -~&&[^,=]]{0,255}[!-~&&[^,=]]");

  public TraceContext {
    Objects.requireNonNull(traceParent, "traceParent");
  }

  /** The trace id, 32 hexadecimal digits, of a context without a fault. */
  public String traceId() {
    return traceParent.substring(TRACE_ID_BEGIN, TRACE_ID_END);
  }

  /** What is wrong with the form of this context, for a person, or null. */
  public @Nullable String fault() {
    if (traceParent.length() > MAX_PARENT_CHARS || !PARENT.matcher(traceParent).matches()) {
      return "the trace parent must have the form defined by W3C Trace Context, such as"
          + " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    }
    return traceState == null ? null : faultOf(traceState);
  }

  private static @Nullable String faultOf(String traceState) {
    if (traceState.length() > MAX_STATE_CHARS) {
      return "the trace state has %d characters; at most %d are allowed"
          .formatted(traceState.length(), MAX_STATE_CHARS);
    }
    String[] members = traceState.split(",", -1);
    if (members.length > MAX_STATE_MEMBERS) {
      return "the trace state has %d members; at most %d are allowed"
          .formatted(members.length, MAX_STATE_MEMBERS);
    }
    for (int i = 0; i < members.length; i++) {
      String member = members[i].strip();
      if (!member.isEmpty() && !STATE_MEMBER.matcher(member).matches()) {
        return "member " + (i + 1) + " of the trace state must have the form key=value";
      }
    }
    return null;
  }
}
