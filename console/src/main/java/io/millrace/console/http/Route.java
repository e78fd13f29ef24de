package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Role;
import java.util.List;
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
 * @param params all path and query parameters; others are rejected
 * @param body the record type of the body; null for no body
 * @param bodyIsOptional whether the body may be missing, which means an empty object
 * @param secret whether the body must not be written to the audit
 * @param largestBody the largest body in bytes; a larger one is rejected
 * @param fromMemory whether it is answered on the event loop, without waiting for a thread or for
 *     I/O
 * @param onlyLooks whether it changes nothing although its method may; then it is not audited
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
    List<Param<?>> params,
    @Nullable Class<?> body,
    boolean bodyIsOptional,
    boolean secret,
    boolean onlyLooks,
    long largestBody,
    boolean fromMemory,
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

  /** Starts a route that reads. */
  public static Builder get(String path, String operation, String summary) {
    return new Builder(Method.GET, path, operation, summary, Role.VIEW);
  }

  /** Starts a route that changes something. */
  public static Builder post(String path, String operation, String summary) {
    return new Builder(Method.POST, path, operation, summary, Role.OPERATE);
  }

  /** Starts a route that replaces a resource. */
  public static Builder put(String path, String operation, String summary) {
    return new Builder(Method.PUT, path, operation, summary, Role.OPERATE);
  }

  /** Starts a route that deletes a resource. */
  public static Builder delete(String path, String operation, String summary) {
    return new Builder(Method.DELETE, path, operation, summary, Role.OPERATE);
  }

  /** Collects the parts of a route. */
  public static final class Builder {
    private final Method method;
    private final String path;
    private final String operation;
    private final String summary;
    private @Nullable Role role;
    private String tag = "";
    private List<Param<?>> params = List.of();
    private @Nullable Class<?> body;
    private boolean bodyIsOptional;
    private boolean secret;
    private boolean onlyLooks;
    private long largestBody = NO_BODY;
    private boolean fromMemory;
    private int status = 200;
    private @Nullable Class<?> answer;

    private Builder(Method method, String path, String operation, String summary, Role role) {
      this.method = method;
      this.path = path;
      this.operation = operation;
      this.summary = summary;
      this.role = role;
    }

    public Builder about(String what) {
      this.tag = what;
      return this;
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

    public Builder with(Param<?>... taken) {
      this.params = List.of(taken);
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

    /** Answers on the event loop, without waiting for a thread or for I/O. */
    public Builder fromMemory() {
      this.fromMemory = true;
      return this;
    }

    /** Takes an optional body in which every field is optional. */
    public Builder mayTake(Class<? extends Record> record) {
      this.bodyIsOptional = true;
      return takes(record);
    }

    /** Keeps the body out of the audit. */
    public Builder secret() {
      this.secret = true;
      return this;
    }

    /** Marks a route that changes nothing although its method may; it is not audited. */
    public Builder onlyLooks() {
      this.onlyLooks = true;
      return this;
    }

    public Builder answers(int usually, Class<? extends Record> record) {
      this.status = usually;
      this.answer = record;
      return this;
    }

    public Builder answers(Class<? extends Record> record) {
      return answers(200, record);
    }

    public Builder answersNothing() {
      this.status = 204;
      return this;
    }

    public Route by(Handler handler) {
      return build(handler, null);
    }

    public Route streamedBy(Streamer streamer) {
      return build(null, streamer);
    }

    private Route build(@Nullable Handler handler, @Nullable Streamer streamer) {
      return new Route(
          method,
          path,
          operation,
          tag,
          summary,
          role,
          params,
          body,
          bodyIsOptional,
          secret,
          onlyLooks,
          largestBody,
          fromMemory,
          status,
          answer,
          handler,
          streamer);
    }
  }
}
