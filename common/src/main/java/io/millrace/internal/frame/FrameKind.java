package io.millrace.internal.frame;

import org.jspecify.annotations.Nullable;

/** The kind of message in a frame's body. */
public enum FrameKind {
  REQUEST(1),
  REPLY(2),
  /** An {@code ErrorReply} instead of a reply. */
  ERROR(3);

  private final int code;

  FrameKind(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** The kind of this code, or null if there is none. */
  static @Nullable FrameKind ofCode(int code) {
    for (FrameKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
