package io.millrace.console.http;

import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.store.console.Role;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which node groups the requests to a route are about. A token that is limited to node groups may
 * send those that are about its own; a viewer who operates some node groups may send those changes
 * that are about these. Every route has a scope, and no handler receives a call that its scope did
 * not let pass. Immutable.
 *
 * @param what how the node group is found; for the table in the manual
 * @param reason why the route is or is not for limited tokens; empty if its requests name a node
 *     group
 * @param check lets a call of a limited token pass
 */
public record Scope(What what, String reason, Check check) {
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
    /** The request is about no node group: for every token. */
    NONE,
    /** The request is about all node groups: not for limited tokens. */
    ALL
  }

  /** Lets a call of a limited token pass. May block. */
  @FunctionalInterface
  public interface Check {
    /** Returns the call to answer; throws a problem if it is not allowed. */
    Call pass(Call call, Limit limit);
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
        (call, limit) -> {
          require(call.get(group), limit);
          return call;
        });
  }

  /** The query names the node group. */
  public static Scope inQuery(Param<String> group) {
    return new Scope(What.QUERY, "", (call, limit) -> withGroup(call, group, limit));
  }

  /** The request refers by ids to what belongs to node groups. */
  public static Scope ofIds(Function<Call, List<Referred>> referred) {
    return new Scope(
        What.ID,
        "",
        (call, limit) -> {
          referred.apply(call).forEach(each -> require(each, limit));
          return call;
        });
  }

  /** The body names the node group, or ids of what belongs to one. */
  public static Scope inBody(Check check) {
    return new Scope(What.BODY, "", check);
  }

  /** The handler answers with what is of the caller's node groups only. */
  public static Scope inAnswer(String reason) {
    return new Scope(What.ANSWER, reason, (call, limit) -> onlyToLook(call, limit, reason));
  }

  /** Requests are about no node group. */
  public static Scope none(String reason) {
    return new Scope(What.NONE, reason, (call, limit) -> onlyToLook(call, limit, reason));
  }

  /** Requests are about all node groups. */
  public static Scope all(String reason) {
    return new Scope(
        What.ALL,
        reason,
        (call, limit) -> {
          throw limit.refused(reason);
        });
  }

  /** This scope with another check before its own. */
  public Scope and(Function<Call, List<Referred>> referred) {
    return new Scope(
        what,
        reason,
        (call, limit) -> {
          referred.apply(call).forEach(each -> require(each, limit));
          return check.pass(call, limit);
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

  /**
   * Returns the call to answer; throws a problem if its caller may not make it.
   *
   * @param needed the role that the route needs; null if it is open to all
   */
  public Call pass(Call call, @Nullable Role needed) {
    return Limit.of(call.caller().rights(), needed)
        .map(limit -> check.pass(call, limit))
        .orElse(call);
  }

  /** A change that names no node group is not for viewers who operate some of them. */
  private static Call onlyToLook(Call call, Limit limit, String reason) {
    if (limit.isOfOperated()) {
      throw limit.refused(reason);
    }
    return call;
  }

  private static Call withGroup(Call call, Param<String> group, Limit limit) {
    Optional<String> named = call.find(group);
    if (named.isPresent()) {
      require(named.get(), limit);
      return call;
    }
    String only =
        limit
            .only()
            .orElseThrow(() -> limit.refused("name one of them with ?" + group.name() + "="));
    return call.with(group, only);
  }

  /** Says the same of a node group that is not seen as of one that does not exist. */
  private static void require(String group, Limit limit) {
    limit.require(group, "there is no node group " + group);
  }

  /** Throws the same problem if it is not seen as if it does not exist. */
  public static void require(Referred referred, Limit limit) {
    String group =
        referred.nodeGroup().orElseThrow(() -> Kind.NOT_FOUND.because(referred.absent()));
    limit.require(group, referred.absent());
  }
}
