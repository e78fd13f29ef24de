package io.millrace.internal.model;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rule for names of node groups, for jobs and for the workers that run them. */
public final class NodeGroupName {
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private NodeGroupName() {}

  /** What is wrong with the name of a node group, or null. */
  public static @Nullable String faultOf(@Nullable String name) {
    return name != null && VALID.matcher(name).matches()
        ? null
        : "node group '"
            + name
            + "' must have 1 to 64 letters, digits, dots, underscores and hyphens, and begin"
            + " with a letter or digit";
  }

  /**
   * Returns the name if it is valid.
   *
   * @throws IllegalArgumentException with the rule in its message
   */
  public static String require(@Nullable String name) {
    String fault = faultOf(name);
    if (name == null || fault != null) {
      throw new IllegalArgumentException(fault);
    }
    return name;
  }
}
