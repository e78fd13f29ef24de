package io.millrace.console.http;

import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node groups that a call may be about, and how a call about another one is refused. What the
 * caller may not look at is answered like what does not exist; what the caller may look at and not
 * change, with 403. Immutable.
 */
public final class Limit {
  /** The code of the problem for a request that the node groups of the token do not allow. */
  private static final String LIMITED = "TOKEN_LIMITED";

  private final NodeGroups seen;
  private final @Nullable NodeGroups operated;

  private Limit(NodeGroups seen, @Nullable NodeGroups operated) {
    this.seen = seen;
    this.operated = operated;
  }

  /** What these rights allow of the requests that need this role; empty if all of them. */
  public static Optional<Limit> of(Rights rights, @Nullable Role needed) {
    boolean operatesSome = needed != null && rights.operatesSome(needed);
    return operatesSome || rights.groups().areLimited()
        ? Optional.of(new Limit(rights.groups(), operatesSome ? rights.operated() : null))
        : Optional.empty();
  }

  /** Whether the call is a change by a caller who may look at more than change. */
  boolean isOfOperated() {
    return operated != null;
  }

  /** Whether a call may be about this node group. */
  public boolean allows(String nodeGroup) {
    return seen.include(nodeGroup) && (operated == null || operated.include(nodeGroup));
  }

  /** The node group that is meant if a call may leave it out; empty if it may not. */
  Optional<String> only() {
    return operated == null ? seen.only() : operated.only();
  }

  /**
   * Throws a problem if the call may not be about what belongs to this node group.
   *
   * @param absent what the answer says if there is no such thing
   */
  void require(String nodeGroup, String absent) {
    if (!seen.include(nodeGroup)) {
      throw Kind.NOT_FOUND.because(absent);
    }
    requireNamed(nodeGroup, null);
  }

  /**
   * Throws a problem if the call may not be about this node group, which need not exist.
   *
   * @param instead what to name instead; null if that is plain
   */
  public void requireNamed(String nodeGroup, @Nullable String instead) {
    if (!allows(nodeGroup)) {
      throw refused(
          seen.include(nodeGroup) ? "it may only look at the node group " + nodeGroup : instead);
    }
  }

  /**
   * The problem for a call that may not be made.
   *
   * @param why or what to do instead; null if that is plain
   */
  public ProblemException refused(@Nullable String why) {
    String said =
        operated == null
            ? "the token is limited to the node groups " + seen.text()
            : "the token operates the node groups " + operated.text();
    return Kind.FORBIDDEN.because(LIMITED, why == null ? said : said + ": " + why);
  }
}
