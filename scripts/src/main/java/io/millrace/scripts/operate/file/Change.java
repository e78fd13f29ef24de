package io.millrace.scripts.operate.file;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a job of the file, or a live job that the file does not have, differs.
 *
 * @param note about the job in a few words; null if there is nothing to say
 * @param fields what changes, one line for each field
 * @param wanted the job of the file; null if the file does not have it
 * @param tag the entity tag of the live job that was compared; null if none lives
 */
record Change(
    Kind kind,
    Key key,
    @Nullable String note,
    List<String> fields,
    @Nullable FileJob wanted,
    @Nullable String tag) {

  /** What is done about the job. */
  enum Kind {
    /** It is submitted. */
    NEW("+ "),
    /** It is edited. */
    CHANGED("~ "),
    /** It is cancelled. */
    REMOVED("- "),
    /** Nothing: the file and the live job are equal. */
    SAME(""),
    /** Nothing, although they differ; the note says why. */
    LEFT_ALONE("  ");

    private final String sign;

    Kind(String sign) {
      this.sign = sign;
    }

    /** Whether the tracker is asked to change something. */
    boolean isDone() {
      return this == NEW || this == CHANGED || this == REMOVED;
    }
  }

  /** Returns the line of the job in the difference. */
  String line() {
    String about = note == null ? "" : kind == Kind.LEFT_ALONE ? ": " + note : " (" + note + ")";
    return kind.sign + key + about;
  }
}
