package io.millrace.console.http;

import io.millrace.console.http.Route.Method;
import io.millrace.jobtracker.store.console.Role;
import java.util.List;
import java.util.stream.Stream;

/**
 * A path of the API, and what the routes at and below it have in common. Immutable.
 *
 * @param tag the subject of the routes in the OpenAPI document
 * @param path a template such as {@code /api/v1/jobs/{group}/{task}}
 * @param params the parameters that every route takes, those of the path included
 */
public record Resource(String tag, String path, List<Param<?>> params) {

  public static Resource of(String tag, String path, Param<?>... params) {
    return new Resource(tag, path, List.of(params));
  }

  /** This path with another subject. */
  public Resource about(String subject) {
    return new Resource(subject, path, params);
  }

  /** The resource whose path is this one with a suffix, with further parameters. */
  public Resource below(String suffix, Param<?>... more) {
    return new Resource(
        tag, path + suffix, Stream.concat(params.stream(), Stream.of(more)).toList());
  }

  /** Starts a route that reads, at this path with a suffix or with an empty one; likewise below. */
  public Route.Builder get(String suffix, String operation, String summary) {
    return new Route.Builder(below(suffix), Method.GET, operation, summary, Role.VIEW);
  }

  /** Starts a route that changes something. */
  public Route.Builder post(String suffix, String operation, String summary) {
    return new Route.Builder(below(suffix), Method.POST, operation, summary, Role.OPERATE);
  }

  /** Starts a route that replaces the resource. */
  public Route.Builder put(String suffix, String operation, String summary) {
    return new Route.Builder(below(suffix), Method.PUT, operation, summary, Role.OPERATE);
  }

  /** Starts a route that deletes the resource. */
  public Route.Builder delete(String suffix, String operation, String summary) {
    return new Route.Builder(below(suffix), Method.DELETE, operation, summary, Role.OPERATE);
  }
}
