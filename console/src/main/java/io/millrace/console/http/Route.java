package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Role;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be asked: what it takes, who may ask it, what it answers. The server and the
 * OpenAPI document are both made from it. Immutable.
 *
 * @param path a template such as {@code /api/v1/jobs/{group}/{task}}
 * @param operation its name in the OpenAPI document and in the audit
 * @param tag what it is about
 * @param summary one line
 * @param role what the caller must be; null if anybody may ask
 * @param params all that it takes in path and query; others are refused
 * @param body the record that its body is read into; null if it takes none
 * @param bodyIsOptional whether it may come without one, which means an empty one
 * @param secret whether its body must not be written to the audit
 * @param largestBody in bytes; a larger one is refused
 * @param fromMemory whether it is answered without waiting for anything, even for a thread
 * @param onlyLooks whether it changes nothing although its method might: then it is not audited
 * @param status of its usual answer
 * @param answer the record that it answers; null if that is no JSON
 * @param handler answers; null if it streams
 * @param streamer sends events; null if it answers
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

  /** A job with the largest parameters, and then some. */
  public static final long MAX_BODY_BYTES = 4L << 20;

  /** What is read of a body where none is taken, to say so. */
  private static final long NO_BODY = 4 << 10;

  /** The methods of HTTP that are used. */
  public enum Method {
    GET,
    POST,
    PUT,
    DELETE;

    /** Whether it may change something. */
    public boolean isChange() {
      return this != GET;
    }
  }

  /** Answers a call: a record, or a {@link Reply}. May block; runs on a thread of the server. */
  @FunctionalInterface
  public interface Handler {
    Object answer(Call call) throws Exception;
  }

  /** Sends events. */
  @FunctionalInterface
  public interface Streamer {

    /**
     * Throws a problem if there is nothing to stream. May block; comes before the first event, so
     * that what is refused is refused as everywhere.
     */
    default void check(Call call) throws Exception {}

    /** Begins to send events. Must not block for long. */
    void stream(Call call, EventStream events);
  }

  /** Begins a route that only looks. */
  public static Builder get(String path, String operation, String summary) {
    return new Builder(Method.GET, path, operation, summary, Role.VIEW);
  }

  /** Begins a route that changes something. */
  public static Builder post(String path, String operation, String summary) {
    return new Builder(Method.POST, path, operation, summary, Role.OPERATE);
  }

  /** Begins a route that puts something into the place of what is there. */
  public static Builder put(String path, String operation, String summary) {
    return new Builder(Method.PUT, path, operation, summary, Role.OPERATE);
  }

  /** Begins a route that takes something away. */
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

    /** Anybody may ask. */
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

    /** It is answered without waiting for anything, even for a thread. */
    public Builder fromMemory() {
      this.fromMemory = true;
      return this;
    }

    /** Takes a body of which every field is optional, or none. */
    public Builder mayTake(Class<? extends Record> record) {
      this.bodyIsOptional = true;
      return takes(record);
    }

    /** Keeps the body out of the audit. */
    public Builder secret() {
      this.secret = true;
      return this;
    }

    /** It changes nothing, although its method might, and so is not audited. */
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
