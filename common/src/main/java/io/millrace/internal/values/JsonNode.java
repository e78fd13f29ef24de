package io.millrace.internal.values;

import java.util.List;
import java.util.Map;

/** One JSON value, as it was read. */
sealed interface JsonNode {

  /** What it is, for a message. */
  String kind();

  record Text(String value) implements JsonNode {
    @Override
    public String kind() {
      return "text";
    }
  }

  /**
   * A number.
   *
   * @param digits as they are in the text
   */
  record Numeral(String digits) implements JsonNode {
    @Override
    public String kind() {
      return "the number " + digits;
    }
  }

  record Flag(boolean value) implements JsonNode {
    @Override
    public String kind() {
      return String.valueOf(value);
    }
  }

  record Elements(List<JsonNode> values) implements JsonNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  record Fields(Map<String, JsonNode> values) implements JsonNode {
    @Override
    public String kind() {
      return "an object";
    }
  }

  record Null() implements JsonNode {
    @Override
    public String kind() {
      return "null";
    }
  }
}
