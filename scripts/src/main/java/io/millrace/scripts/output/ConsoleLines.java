package io.millrace.scripts.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a tracker's console is, and how to be let in, in lines. */
public final class ConsoleLines {
  private ConsoleLines() {}

  /**
   * The lines; none if the tracker has no console.
   *
   * @param url of the console
   * @param firstToken the first token of the store, if this tracker has just issued it
   */
  public static List<String> of(Optional<String> url, Optional<String> firstToken) {
    List<String> lines = new ArrayList<>();
    url.ifPresent(at -> lines.add("console: " + at + "   (open it in a browser)"));
    firstToken.ifPresent(token -> lines.add("token: " + token + "   (admin; shown this once)"));
    return lines;
  }
}
