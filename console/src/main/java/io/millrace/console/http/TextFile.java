package io.millrace.console.http;

import org.jspecify.annotations.Nullable;

/**
 * A text of any length that is sent as a file, part by part: it is never in memory as a whole.
 *
 * @param name the name under which a browser stores it
 */
public record TextFile(String name, Parts parts) {

  /** The parts of a text, in order. Used by one thread at a time. */
  @FunctionalInterface
  public interface Parts {

    /** Returns the next part, or null at the end of the text. May block. */
    @Nullable String next() throws Exception;
  }
}
