package io.millrace.internal.protocol;

import io.millrace.internal.model.NameText;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Stores a value of a run, so that a later attempt finds it. Any tracker answers it, after the
 * commit; it may be sent again under its number until it is answered.
 *
 * @param executionId the execution, which the worker must hold
 * @param seq number of the request among those of this execution that were answered {@link
 *     KeepStatus#KEPT}, from 1
 * @param kind what is kept
 * @param name name of the step; null for a checkpoint
 * @param value the value as JSON; null if the step has none; for a fault, what was wrong
 */
public record KeepRequest(
    long executionId, long seq, KeptKind kind, @Nullable String name, @Nullable String value)
    implements Request<KeepReply> {

  /** The longest value, in bytes of UTF-8. */
  public static final int MAX_VALUE_BYTES = 64 * 1024;

  /** The most bytes of UTF-8 of all values of a run. */
  public static final int MAX_RUN_BYTES = 1024 * 1024;

  /** The longest text of a fault, in bytes of UTF-8; it counts in no run. */
  public static final int MAX_FAULT_BYTES = 4 * 1024;

  /** The most steps of a run. */
  public static final int MAX_STEPS = 1_000;

  /** The longest name of a step, in characters. */
  public static final int MAX_NAME_CHARS = 128;

  public KeepRequest {
    kind = kind == null ? KeptKind.UNKNOWN : kind;
  }

  /** Whether its value alone is too large. */
  public boolean isTooLarge() {
    return bytesOf(value) > (kind == KeptKind.FAULT ? MAX_FAULT_BYTES : MAX_VALUE_BYTES);
  }

  /** The length of a value in bytes of UTF-8. */
  public static int bytesOf(@Nullable String value) {
    return value == null ? 0 : value.getBytes(StandardCharsets.UTF_8).length;
  }

  /** What is wrong with the name of a step; null if nothing is. */
  public static @Nullable String faultOfName(@Nullable String name) {
    if (name == null || name.isEmpty() || name.length() > MAX_NAME_CHARS) {
      return "must have 1 to " + MAX_NAME_CHARS + " characters";
    }
    if (!name.strip().equals(name)) {
      return "must not begin or end with a space";
    }
    if (name.startsWith("#")) {
      return "must not begin with #";
    }
    String character = NameText.faultOf(name);
    return character == null ? null : "contains " + character;
  }
}
