package io.millrace.jobtracker.console.http;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One request of a route, its parameters and body read and found well formed. */
public final class Call {
  static final String LAST_EVENT_ID = "Last-Event-ID";

  private final Caller caller;
  private final Map<String, Object> values;
  private final @Nullable Object body;
  private final Credentials credentials;
  private final Map<String, String> headers;

  Call(
      Caller caller,
      Map<String, Object> values,
      @Nullable Object body,
      Credentials credentials,
      Map<String, String> headers) {
    this.caller = caller;
    this.values = values;
    this.body = body;
    this.credentials = credentials;
    this.headers = headers;
  }

  public Caller caller() {
    return caller;
  }

  /** What the request proved itself with. */
  public Credentials credentials() {
    return credentials;
  }

  /** What a reader of events, when it comes back, says was the id of the last it had. */
  public Optional<String> lastEventId() {
    return Optional.ofNullable(headers.get(LAST_EVENT_ID));
  }

  /** The value of a parameter that is required or has a fallback. */
  @SuppressWarnings("unchecked") // the value was read by the parameter's own form
  public <T> T get(Param<T> param) {
    return Objects.requireNonNull((T) values.get(param.name()), param.name());
  }

  /** The value of a parameter that may be missing. */
  @SuppressWarnings("unchecked") // the value was read by the parameter's own form
  public <T> Optional<T> find(Param<T> param) {
    return Optional.ofNullable((T) values.get(param.name()));
  }

  /** The body of a route that takes one of this type. */
  public <B> B body(Class<B> type) {
    return type.cast(Objects.requireNonNull(body, "the route takes a body"));
  }
}
