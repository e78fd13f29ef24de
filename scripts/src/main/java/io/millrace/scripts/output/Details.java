package io.millrace.scripts.output;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts about one thing: a name and a value a line. Not thread-safe. */
public final class Details {
  private final Map<String, String> facts = new LinkedHashMap<>();

  /** Adds a fact; nothing at all for null. */
  public Details add(String name, @Nullable Object value) {
    if (value != null) {
      facts.put(name, Cell.of(value));
    }
    return this;
  }

  /** Prints them in the order in which they were added. */
  public void print(PrintWriter out) {
    int width = facts.keySet().stream().mapToInt(Cell::width).max().orElse(0);
    facts.forEach(
        (name, value) -> out.println(name + " ".repeat(width - Cell.width(name)) + "  " + value));
    out.flush();
  }
}
