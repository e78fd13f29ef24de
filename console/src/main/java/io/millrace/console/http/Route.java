package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Role;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation of the API: its input, the role it needs, and its answer. The server and the OpenAPI
 * document are both made from routes. Immutable.
 *
 * @param path a template such as {@code /api/v1/jobs/{group}/{task}}
 * @param operation its name in the OpenAPI document and the audit
 * @param tag its subject in the OpenAPI document
 * @param summary one line
 * @param role the role that the caller must have; null if the route is open to all
 * @param scope the node groups that its requests are about
 * @param params all path and query parameters; others are rejected
 * @param body the record type of the body; null for no body
 * @param largestBody the largest body in bytes; a larger one is rejected
 * @param traits what is special about it
 * @param status HTTP status of its usual answer
 * @param answer the record type of its answer; null if the answer is not JSON
 * @param handler answers a call; null if the route streams
 * @param streamer sends events; null if the route does not stream
 */
public record Route(
    Method method,
    String path,
    String operation,
    String tag,
    String summary,
    @Nullable Role role,
    Scope scope,
    List<Param<?>> params,
    @Nullable Class<?> body,
    long largestBody,
    Set<Trait> traits,
    int status,
    @Nullable Class<?> answer,
    @Nullable Handler handler,
    @Nullable Streamer streamer) {

  /** The largest body: room for a job with the largest parameters, with a margin. */
  public static final long MAX_BODY_BYTES = 4L << 20;

  /** The bytes read of a body for a route that takes none, so that it can be rejected. */
  private static final long NO_BODY = 4 << 10;

  /** The HTTP methods in use. */
  public enum Method {
    GET,
    POST,
    PUT,
    DELETE;

    /** Whether the method may change something. */
    public boolean isChange() {
      return this != GET;
    }
  }

  /** What is special about a route. */
  public enum Trait {
    /** The body may be missing, which means an empty object. */
    OPTIONAL_BODY,
    /** The header If-Match may name the version that the request is about. */
    CONDITIONAL,
    /** The body must not be written to the audit. */
    SECRET_BODY,
    /** The route changes nothing although its method may; it is not audited. */
    ONLY_LOOKS,
    /** It is answered on the event loop, without waiting for a thread or for I/O. */
    FROM_MEMORY,
    /** Its answer is a {@link TextFile}. */
    TEXT_FILE,
    /** Others decide what the query has besides the parameters. */
    FOREIGN_QUERY
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Answers a call with a record or a {@link Reply}. May block; runs on a thread of the server. */
  @FunctionalInterface
  public interface Handler {
    Object answer(Call call) throws Exception;
  }

  /** Sends events. */
  @FunctionalInterface
  public interface Streamer {

    /**
     * Throws a problem if the stream cannot begin. May block; runs before the first event, so that
     * a rejection has the same form as for any other route.
     */
    default void check(Call call) throws Exception {}

    /** Starts to send events. Must not block for long. */
    void stream(Call call, EventStream events);
  }

  /** Collects the parts of a route. */
  public static final class Builder {
    private final Resource resource;
    private final Method method;
    private final String operation;
    private final String summary;
    private @Nullable Role role;
    private @Nullable Scope scope;
    private List<Param<?>> params;
    private @Nullable Class<?> body;
    private long largestBody = NO_BODY;
    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

    Builder(Resource resource, Method method, String operation, String summary, Role role) {
      this.resource = resource;
      this.params = resource.params();
      this.method = method;
      this.operation = operation;
      this.summary = summary;
      this.role = role;
    }

    public Builder needs(Role needed) {
      this.role = needed;
      return this;
    }

    /** Opens the route to all callers. */
    public Builder open() {
      this.role = null;
      return this;
    }

    /** Names the node groups that requests are about, unless a parameter does. */
    public Builder within(Scope groups) {
      this.scope = groups;
      return this;
    }

    /** Takes these parameters besides those of the resource. */
    public Builder with(Param<?>... more) {
      this.params = Stream.concat(params.stream(), Stream.of(more)).toList();
      return this;
    }

    public Builder takes(Class<? extends Record> record) {
      this.body = record;
      this.largestBody = MAX_BODY_BYTES;
      return this;
    }

    /** Takes a body of at most this many bytes. */
    public Builder takes(Class<? extends Record> record, long largest) {
      this.body = record;
      this.largestBody = largest;
      return this;
    }

    /** Takes an optional body in which every field is optional. */
    public Builder mayTake(Class<? extends Record> record) {
      return takes(record).is(Trait.OPTIONAL_BODY);
    }

    public Builder is(Trait trait) {
      traits.add(trait);
      return this;
    }

    /** Answers with a record and the status 200. */
    public Route answers(Class<? extends Record> record, Handler handler) {
      return answers(200, record, handler);
    }

    /** Answers with a record and usually with this status. */
    public Route answers(int usually, Class<? extends Record> record, Handler handler) {
      return build(usually, record, handler, null);
    }

    /** Answers with the status 204. */
    public Route answersNothing(Handler handler) {
      return build(204, null, handler, null);
    }

    /** Sends the browser to another address. */
    public Route redirects(Handler handler) {
      return build(302, null, handler, null);
    }

    /** Answers with a text that the document does not describe. */
    public Route answersText(Handler handler) {
      return build(200, null, handler, null);
    }

    /** Answers with a {@link TextFile}. */
    public Route answersFile(Function<Call, TextFile> file) {
      return is(Trait.TEXT_FILE).answersText(call -> Reply.file(file.apply(call)));
    }

    /** Answers with events. */
    public Route streams(Streamer streamer) {
      return build(200, null, null, streamer);
    }

    private Scope scope() {
      return scope == null
          ? Scope.of(params)
              .orElseThrow(() -> new IllegalStateException(operation + " names no node groups"))
          : scope;
    }

    private Route build(
        int status,
        @Nullable Class<?> answer,
        @Nullable Handler handler,
        @Nullable Streamer streamer) {
      return new Route(
          method,
          resource.path(),
          operation,
          resource.tag(),
          summary,
          role,
          scope(),
          params,
          body,
          largestBody,
          Set.copyOf(traits),
          status,
          answer,
          handler,
          streamer);
    }
  }
}
