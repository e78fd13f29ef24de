package io.millrace.jobtracker.store.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what: the role of an operator, the node groups for which the operator has it, and the
 * node groups for which a viewer is an operator as well. Immutable.
 *
 * @param groups the node groups that the holder may look at; with the role OPERATE or ADMIN, those
 *     that the holder may change
 * @param operated of these, the node groups that a holder of the role VIEW may change; null for
 *     none, and with any other role
 */
public record Rights(Role role, NodeGroups groups, @Nullable NodeGroups operated) {

  /**
   * @throws IllegalArgumentException if no operator may have these rights; the message says why
   */
  public Rights {
    if (role == Role.ADMIN && groups.areLimited()) {
      throw new IllegalArgumentException(
          "a token with the role ADMIN cannot be limited to node groups: it may issue others");
    }
    if (operated != null && role != Role.VIEW) {
      throw new IllegalArgumentException(
          "only a token with the role VIEW names node groups that it operates; the role "
              + role
              + " operates all node groups that the token is for");
    }
    if (operated != null && operated.outside(groups) != null) {
      throw new IllegalArgumentException(
          "the token cannot operate %s: it may look at %s only"
              .formatted(operated.outside(groups), groups.text()));
    }
  }

  /** A role for these node groups. */
  public static Rights of(Role role, NodeGroups groups) {
    return new Rights(role, groups, null);
  }

  /** A role for all node groups. */
  public static Rights of(Role role) {
    return of(role, NodeGroups.ALL);
  }

  /**
   * The rights that are stored so. A tracker of the version before does not know {@code operated},
   * and may have written a role or node groups that do not go with it; then the holder operates
   * nothing.
   */
  public static Rights read(Role role, NodeGroups groups, @Nullable NodeGroups operated) {
    boolean goTogether = operated != null && role == Role.VIEW && operated.outside(groups) == null;
    return new Rights(role, groups, goTogether ? operated : null);
  }

  /** Whether the holder may do what needs this role, to some of the node groups at least. */
  public boolean allow(Role needed) {
    return role.allows(needed) || operatesSome(needed);
  }

  /** Whether the holder may do what needs this role to {@link #operated} only. */
  public boolean operatesSome(Role needed) {
    return operated != null && needed == Role.OPERATE;
  }

  /** The patterns of {@link #operated}; null for none. */
  public @Nullable List<String> operates() {
    return operated == null ? null : operated.patterns();
  }

  /**
   * Checks whether there is room for the node groups in the store.
   *
   * @throws IllegalArgumentException with the rule in its message
   */
  public void requireFew() {
    groups.requireFew();
    if (operated != null) {
      operated.requireFew();
    }
  }

  /** Returns the rights of an operator who has both these and others. */
  public Rights and(Rights others) {
    if (role == Role.ADMIN || others.role == Role.ADMIN) {
      return of(Role.ADMIN);
    }
    NodeGroups seen = groups.and(others.groups);
    NodeGroups changed = changeable() == null ? others.changeable() : changeable();
    if (changed != null && others.changeable() != null) {
      changed = changed.and(others.changeable());
    }
    return changed != null && seen.outside(changed) == null
        ? of(Role.OPERATE, seen)
        : new Rights(Role.VIEW, seen, changed);
  }

  /** The node groups that the holder may change; null for none. */
  private @Nullable NodeGroups changeable() {
    return role.allows(Role.OPERATE) ? groups : operated;
  }
}
