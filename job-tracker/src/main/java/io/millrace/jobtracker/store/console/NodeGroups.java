package io.millrace.jobtracker.store.console;

import io.millrace.internal.model.NodeGroupName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The node groups that a token is for: all, or those with certain names. Immutable.
 *
 * @param patterns names, or beginnings of names with a {@code *} behind; null for all node groups
 */
public record NodeGroups(@Nullable List<String> patterns) {
  /** All node groups, also those that are yet to come. */
  public static final NodeGroups ALL = new NodeGroups(null);

  private static final int MOST = 20;
  private static final String ANY = "*";

  public NodeGroups {
    patterns = patterns == null ? null : List.copyOf(patterns);
  }

  /**
   * Returns those with these names.
   *
   * @param patterns null for all node groups
   * @throws IllegalArgumentException with the rule in its message
   */
  public static NodeGroups of(@Nullable List<String> patterns) {
    if (patterns == null) {
      return ALL;
    }
    new NodeGroups(patterns).requireFew();
    for (String pattern : patterns) {
      String unused = NodeGroupName.require(isPrefix(pattern) ? prefix(pattern) : pattern);
    }
    return new NodeGroups(patterns.stream().distinct().toList());
  }

  /**
   * Checks whether there is room for them in the store.
   *
   * @throws IllegalArgumentException with the rule in its message
   */
  public void requireFew() {
    if (patterns != null && (patterns.isEmpty() || patterns.size() > MOST)) {
      throw new IllegalArgumentException(
          "1 to %d node groups can be named, not %d".formatted(MOST, patterns.size()));
    }
  }

  /** Reads what {@link #text} wrote. */
  public static NodeGroups read(@Nullable String text) {
    return text == null ? ALL : new NodeGroups(List.of(text.split(" ", -1)));
  }

  /** Returns them in one line; null if they are all. */
  public @Nullable String text() {
    return patterns == null ? null : String.join(" ", patterns);
  }

  /** Whether there are any that do not belong to them. */
  public boolean areLimited() {
    return patterns != null;
  }

  /** Whether the node group of this name is one of them, if there is such a node group. */
  public boolean include(String nodeGroup) {
    return patterns == null || patterns.stream().anyMatch(pattern -> covers(pattern, nodeGroup));
  }

  /** Returns a pattern of these that stands for others than those; null if there is none. */
  public @Nullable String outside(NodeGroups those) {
    if (those.patterns == null) {
      return null;
    }
    return patterns == null
        ? ANY
        : patterns.stream().filter(pattern -> !those.cover(pattern)).findFirst().orElse(null);
  }

  /** Returns these and others, without patterns that others of them cover. */
  public NodeGroups and(NodeGroups others) {
    if (patterns == null || others.patterns == null) {
      return ALL;
    }
    List<String> all =
        Stream.concat(patterns.stream(), others.patterns.stream()).distinct().toList();
    return new NodeGroups(
        all.stream()
            .filter(
                pattern ->
                    all.stream()
                        .noneMatch(other -> !other.equals(pattern) && covers(other, pattern)))
            .toList());
  }

  /** Returns the only one, if only one is possible. */
  public Optional<String> only() {
    return Optional.ofNullable(patterns)
        .filter(all -> all.size() == 1 && !isPrefix(all.get(0)))
        .map(all -> all.get(0));
  }

  private boolean cover(String pattern) {
    return patterns == null || patterns.stream().anyMatch(own -> covers(own, pattern));
  }

  /**
   * Whether the wide pattern stands for this name, or for all names that this pattern stands for.
   */
  private static boolean covers(String wide, String narrow) {
    return isPrefix(wide) ? narrow.startsWith(prefix(wide)) : narrow.equals(wide);
  }

  private static boolean isPrefix(String pattern) {
    return pattern.endsWith(ANY);
  }

  private static String prefix(String pattern) {
    return pattern.substring(0, pattern.length() - ANY.length());
  }
}
