package io.millrace.console.http;

import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.store.console.NodeGroups;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which node groups the requests to a route are about. A token that is limited to node groups may
 * send those that are about its own. Every route has a scope, and no handler receives a call that
 * its scope did not let pass. Immutable.
 *
 * @param what how the node group is found; for the table in the manual
 * @param reason why the route is or is not for limited tokens; empty if its requests name a node
 *     group
 * @param check lets a call of a limited token pass
 */
public record Scope(What what, String reason, Check check) {
  /** The code of the problem for a request of a limited token that is not about its node groups. */
  public static final String LIMITED = "TOKEN_LIMITED";

  /** How the node group of a request is found. */
  public enum What {
    /** In the path. */
    PATH,
    /** In the query; a token for exactly one node group may leave it out. */
    QUERY,
    /** It is that of an id in the request. */
    ID,
    /** In the body. */
    BODY,
    /** The answer contains only what is of the node groups of the token. */
    ANSWER,
    /** The answer is of no node group: for every token. */
    NONE,
    /** The answer is of all node groups: not for limited tokens. */
    ALL
  }

  /** Lets a call of a limited token pass. May block. */
  @FunctionalInterface
  public interface Check {
    /** Returns the call to answer; throws a problem if it is not allowed. */
    Call pass(Call call, NodeGroups allowed);
  }

  /**
   * What a request refers to by an id.
   *
   * @param nodeGroup the node group that it belongs to; empty if there is no such thing
   * @param absent what the answer says if there is none
   */
  public record Referred(Optional<String> nodeGroup, String absent) {}

  /** The path names the node group. */
  public static Scope inPath(Param<String> group) {
    return new Scope(
        What.PATH,
        "",
        (call, allowed) -> {
          require(call.get(group), allowed);
          return call;
        });
  }

  /** The query names the node group. */
  public static Scope inQuery(Param<String> group) {
    return new Scope(What.QUERY, "", (call, allowed) -> withGroup(call, group, allowed));
  }

  /** The request refers by ids to what belongs to node groups. */
  public static Scope ofIds(Function<Call, List<Referred>> referred) {
    return new Scope(
        What.ID,
        "",
        (call, allowed) -> {
          referred.apply(call).forEach(each -> require(each, allowed));
          return call;
        });
  }

  /** The body names the node group, or ids of what belongs to one. */
  public static Scope inBody(Check check) {
    return new Scope(What.BODY, "", check);
  }

  /** The handler answers with what is of the caller's node groups only. */
  public static Scope inAnswer(String reason) {
    return new Scope(What.ANSWER, reason, (call, allowed) -> call);
  }

  /** Requests are about no node group. */
  public static Scope none(String reason) {
    return new Scope(What.NONE, reason, (call, allowed) -> call);
  }

  /** Requests are about all node groups. */
  public static Scope all(String reason) {
    return new Scope(
        What.ALL,
        reason,
        (call, allowed) -> {
          throw refused(allowed, reason);
        });
  }

  /** This scope with another check before its own. */
  public Scope and(Function<Call, List<Referred>> referred) {
    return new Scope(
        what,
        reason,
        (call, allowed) -> {
          referred.apply(call).forEach(each -> require(each, allowed));
          return check.pass(call, allowed);
        });
  }

  /** The scope of a route with these parameters, if one of them is a node group. */
  static Optional<Scope> of(List<Param<?>> params) {
    return params.stream()
        .filter(param -> param.name().equals("group") || param.name().equals("nodeGroup"))
        .findFirst()
        .map(Scope::asGroup)
        .map(group -> group.inPath() ? inPath(group) : inQuery(group));
  }

  @SuppressWarnings("unchecked") // names of node groups are texts
  private static Param<String> asGroup(Param<?> param) {
    return (Param<String>) param;
  }

  /** Returns the call to answer; throws a problem if its caller may not make it. */
  public Call pass(Call call) {
    NodeGroups allowed = call.caller().groups();
    return allowed.areLimited() ? check.pass(call, allowed) : call;
  }

  private static Call withGroup(Call call, Param<String> group, NodeGroups allowed) {
    Optional<String> named = call.find(group);
    if (named.isPresent()) {
      require(named.get(), allowed);
      return call;
    }
    String only =
        allowed
            .only()
            .orElseThrow(() -> refused(allowed, "name one of them with ?" + group.name() + "="));
    return call.with(group, only);
  }

  /** Says the same of a node group that is not allowed as of one that does not exist. */
  private static void require(String group, NodeGroups allowed) {
    if (!allowed.include(group)) {
      throw Kind.NOT_FOUND.because("there is no node group " + group);
    }
  }

  /** Throws the same problem if it is not allowed as if it does not exist. */
  public static void require(Referred referred, NodeGroups allowed) {
    if (referred.nodeGroup().filter(allowed::include).isEmpty()) {
      throw Kind.NOT_FOUND.because(referred.absent());
    }
  }

  /** The problem for a request that no limited token may make. */
  public static ProblemException refused(NodeGroups allowed, @Nullable String why) {
    return Kind.FORBIDDEN.because(
        LIMITED,
        "the token is limited to the node groups %s%s"
            .formatted(allowed.text(), why == null ? "" : ": " + why));
  }
}
