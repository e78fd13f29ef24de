package io.millrace.scripts.output;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints facts about one object, each line with a name and a value. Not thread-safe. */
public final class Details {
  private final Map<String, String> facts = new LinkedHashMap<>();

  /** Adds a fact; ignores a null value. */
  public Details add(String name, @Nullable Object value) {
    if (value != null) {
      facts.put(name, Cell.of(value));
    }
    return this;
  }

  /** Prints the facts in the order in which they were added. */
  public void print(PrintWriter out) {
    int width = facts.keySet().stream().mapToInt(Cell::width).max().orElse(0);
    facts.forEach(
        (name, value) -> out.println(name + " ".repeat(width - Cell.width(name)) + "  " + value));
    out.flush();
  }
}
