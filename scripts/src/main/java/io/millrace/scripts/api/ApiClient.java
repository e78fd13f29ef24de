package io.millrace.scripts.api;

import io.millrace.internal.codec.CodecException;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.CommandFailedException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Sends requests to a tracker's API and waits for the responses. Thread-safe. */
public final class ApiClient {
  /** The environment variable that holds an operator's token. */
  public static final String TOKEN_VARIABLE = "MILLRACE_OPERATOR_TOKEN";

  private static final int NOT_READY = 503;
  private static final String TAG = "ETag";
  private static final String TIME = "Millrace-Time";

  private final ApiUrl url;
  private final @Nullable String token;
  private final Duration patience;
  private final HttpClient http;
  private final JsonCodec codec = new JsonCodec();

  private ApiClient(ApiUrl url, @Nullable String token, Duration patience, HttpClient http) {
    this.url = url;
    this.token = token;
    this.patience = patience;
    this.http = http;
  }

  /**
   * Creates a client of this tracker; sends no request.
   *
   * @param token of an operator, or null for none
   * @param authorities PEM file of the trusted certificate authorities; null for Java's default
   *     ones
   * @param patience how long to wait for each response
   * @throws IllegalArgumentException if the file does not contain certificates
   * @throws IOException if the file cannot be read
   */
  public static ApiClient of(
      ApiUrl url, @Nullable String token, @Nullable Path authorities, Duration patience)
      throws IOException {
    HttpClient.Builder http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(patience);
    if (authorities != null) {
      http.sslContext(PemAuthorities.read(authorities));
    }
    return new ApiClient(url, token, patience, http.build());
  }

  /** Sends a GET request. */
  public <T> Answer<T> get(ApiPath path, Class<T> type) throws InterruptedException {
    return ask("GET", path, null, null, type);
  }

  /** Sends a POST request. */
  public <T> Answer<T> post(ApiPath path, @Nullable Object body, Class<T> type)
      throws InterruptedException {
    return ask("POST", path, body, null, type);
  }

  /** Sends a POST request that returns no content. */
  public void post(ApiPath path) throws InterruptedException {
    HttpResponse<String> unused = accepted(send("POST", path, null, null));
  }

  /**
   * Sends a POST request for exactly what was read with this entity tag.
   *
   * @throws PreconditionFailedException if it has changed since
   */
  public <T> Answer<T> postIfMatch(ApiPath path, String tag, Class<T> type)
      throws InterruptedException {
    return ask("POST", path, null, tag, type);
  }

  /** Sends a PUT request. */
  public <T> Answer<T> put(ApiPath path, @Nullable Object body, Class<T> type)
      throws InterruptedException {
    return ask("PUT", path, body, null, type);
  }

  /**
   * Sends a PUT request over exactly what was read with this entity tag.
   *
   * @throws PreconditionFailedException if it has changed since
   */
  public <T> Answer<T> putIfMatch(ApiPath path, String tag, Object body, Class<T> type)
      throws InterruptedException {
    return ask("PUT", path, body, tag, type);
  }

  /** Sends a DELETE request that returns a value. */
  public <T> Answer<T> delete(ApiPath path, Class<T> type) throws InterruptedException {
    return ask("DELETE", path, null, null, type);
  }

  /** Sends a DELETE request that returns no content. */
  public void delete(ApiPath path) throws InterruptedException {
    HttpResponse<String> unused = accepted(send("DELETE", path, null, null));
  }

  /** Requests the tracker's health; accepts the response of an unhealthy tracker too. */
  public <T> Answer<T> health(ApiPath path, Class<T> type) throws InterruptedException {
    HttpResponse<String> response = send("GET", path, null, null);
    if (response.statusCode() != NOT_READY) {
      return answer(accepted(response), type);
    }
    try {
      return new Answer<>(response.body(), codec.decodeText(response.body(), type));
    } catch (CodecException e) {
      throw refusal(response.statusCode(), response.body());
    }
  }

  private <T> Answer<T> ask(
      String method, ApiPath path, @Nullable Object body, @Nullable String tag, Class<T> type)
      throws InterruptedException {
    return answer(accepted(send(method, path, body, tag)), type);
  }

  /** Opens an event stream; the caller closes it. */
  public EventStream events(ApiPath path) {
    int times = (int) Math.max(1, patience.toSeconds());
    return events(path, new EventStream.Retries(times, Duration.ofSeconds(1)));
  }

  EventStream events(ApiPath path, EventStream.Retries retries) {
    return new EventStream(
        http,
        () -> unbounded(path),
        this::refusal,
        failure -> Silence.because(url, failure, patience, false),
        retries);
  }

  private <T> Answer<T> answer(HttpResponse<String> response, Class<T> type) {
    String text = response.body();
    try {
      return new Answer<>(
          text,
          codec.decodeText(text, type),
          response.headers().firstValue(TAG).orElse(null),
          time(response));
    } catch (CodecException e) {
      throw new CommandFailedException(
          url + " returned an answer that this version does not understand: " + e.getMessage(), e);
    }
  }

  /** When the tracker answered; null if it does not say, or if something else answered. */
  private static @Nullable Instant time(HttpResponse<String> response) {
    try {
      OptionalLong millis = response.headers().firstValueAsLong(TIME);
      return millis.isPresent() ? Instant.ofEpochMilli(millis.getAsLong()) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private HttpResponse<String> accepted(HttpResponse<String> response) {
    if (response.statusCode() / 100 != 2) {
      throw refusal(response.statusCode(), response.body());
    }
    return response;
  }

  private RuntimeException refusal(int status, String body) {
    return Refusals.of(url, status, body, token != null, codec);
  }

  private HttpRequest.Builder request(ApiPath path) {
    return unbounded(path).timeout(patience);
  }

  /** Starts a request without a timeout. */
  private HttpRequest.Builder unbounded(ApiPath path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(url.at(path));
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }

  private HttpResponse<String> send(
      String method, ApiPath path, @Nullable Object body, @Nullable String tag)
      throws InterruptedException {
    HttpRequest.Builder request = request(path).method(method, content(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (tag != null) {
      request.header("If-Match", tag);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandFailedException(Silence.because(url, e, patience, !method.equals("GET")), e);
    }
  }

  private BodyPublisher content(@Nullable Object body) {
    return body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(codec.encode(body));
  }
}
