package io.millrace.scripts.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lines with the URL of a tracker's console and the first token. */
public final class ConsoleLines {
  private ConsoleLines() {}

  /**
   * Returns the lines; empty if the tracker has no console.
   *
   * @param url the URL of the console
   * @param firstToken the first token of the store, if this tracker has just issued it
   */
  public static List<String> of(Optional<String> url, Optional<String> firstToken) {
    List<String> lines = new ArrayList<>();
    url.ifPresent(at -> lines.add("console: " + at + "   (open it in a browser)"));
    firstToken.ifPresent(token -> lines.add("token: " + token + "   (admin; shown only once)"));
    return lines;
  }
}
