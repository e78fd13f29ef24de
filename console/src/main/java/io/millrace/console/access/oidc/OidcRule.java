package io.millrace.console.access.oidc;

import io.millrace.internal.config.ValueType;
import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What persons may do of whom the provider says something. Written as {@code VALUE: ROLE}, with
 * node groups behind if they may do it for those only.
 *
 * @param value a value of the claim, or {@code *} for every person who can sign in
 * @param groups the node groups for which they may do it
 */
public record OidcRule(String value, Role role, NodeGroups groups) {
  /** Every person. */
  public static final String ANY = "*";

  /** As a value in a configuration file. */
  public static final ValueType<OidcRule> TYPE =
      new ValueType<>(
          "role of a value",
          OidcRule::parse,
          OidcRule::write,
          new OidcRule(ANY, Role.VIEW, NodeGroups.ALL),
          false);

  private static final Pattern FORM =
      Pattern.compile("(\\S.*?)\\s*:\\s*(VIEW|OPERATE|ADMIN)(?:\\s+(\\S.*))?");

  /**
   * @throws IllegalArgumentException if there may be no such rule
   */
  public OidcRule {
    if (role == Role.ADMIN && groups.areLimited()) {
      throw new IllegalArgumentException(
          "gives the role ADMIN for some node groups only; that role is for all");
    }
  }

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static OidcRule parse(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "must be VALUE: ROLE, with VIEW, OPERATE or ADMIN as ROLE, and node groups behind it if it"
              + " is for those only");
    }
    String groups = parts.group(3);
    return new OidcRule(
        parts.group(1),
        Role.valueOf(parts.group(2)),
        groups == null ? NodeGroups.ALL : NodeGroups.of(List.of(groups.split("\\s+"))));
  }

  private String write() {
    String limit = groups.text();
    return value + ": " + role + (limit == null ? "" : " " + limit);
  }

  /** What it lets persons do whom it is about. */
  Rights rights() {
    return Rights.of(role, groups);
  }

  /** Whether it is about a person with these values. */
  boolean matches(List<String> values) {
    return value.equals(ANY) || values.contains(value);
  }
}
