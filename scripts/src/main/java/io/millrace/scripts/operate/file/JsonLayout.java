package io.millrace.scripts.operate.file;

import io.millrace.internal.values.JsonText;
import java.util.Iterator;
import java.util.Map;

/** Writes JSON for people: one field or element a line, or all in one line. Used once. */
final class JsonLayout {
  private static final String STEP = "  ";

  private final StringBuilder out;
  private final boolean lines;
  private String indent = "";

  /**
   * @param lines whether each field and each element has a line of its own
   */
  JsonLayout(StringBuilder out, boolean lines) {
    this.out = out;
    this.lines = lines;
  }

  /** Writes further lines this deep. */
  JsonLayout indented(int steps) {
    indent = STEP.repeat(steps);
    return this;
  }

  void write(Json value) {
    if (value instanceof Json.Fields fields) {
      Iterator<Map.Entry<String, Json>> entries = fields.values().entrySet().iterator();
      begin('{', !entries.hasNext());
      while (entries.hasNext()) {
        Map.Entry<String, Json> entry = entries.next();
        line();
        out.append(JsonText.quote(entry.getKey())).append(lines ? ": " : ":");
        write(entry.getValue());
        out.append(entries.hasNext() ? "," : "");
      }
      end('}', fields.values().isEmpty());
    } else if (value instanceof Json.Elements elements) {
      Iterator<Json> entries = elements.values().iterator();
      begin('[', !entries.hasNext());
      while (entries.hasNext()) {
        line();
        write(entries.next());
        out.append(entries.hasNext() ? "," : "");
      }
      end(']', elements.values().isEmpty());
    } else {
      out.append(((Json.Scalar) value).text());
    }
  }

  private void begin(char bracket, boolean isEmpty) {
    out.append(bracket);
    indent = isEmpty ? indent : indent + STEP;
  }

  private void end(char bracket, boolean isEmpty) {
    if (!isEmpty) {
      indent = indent.substring(STEP.length());
      line();
    }
    out.append(bracket);
  }

  private void line() {
    if (lines) {
      out.append('\n').append(indent);
    }
  }
}
