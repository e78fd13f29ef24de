package io.millrace.scripts.api;

import io.millrace.scripts.CommandFailedException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads events of the API as they arrive. After an interruption it reconnects and continues after
 * the last received event, so no event is lost. Used by one thread.
 */
public final class EventStream implements AutoCloseable {
  /** Timeout without any line. The API sends at least a keep-alive every 15 s. */
  private static final Duration SILENCE = Duration.ofSeconds(45);

  private static final int OK = 200;
  private static final int FAILED = 500;

  private final HttpClient http;
  private final Supplier<HttpRequest.Builder> request;
  private final Refusal refusal;
  private final Function<IOException, String> silence;
  private final Retries retries;
  private int failures;
  private boolean everReceived;
  private String last = "";
  private @Nullable Connected connected;

  /**
   * An event.
   *
   * @param name the event type
   * @param data the event data, as sent
   */
  public record Event(String name, String data) {}

  /** Creates the exception for a response that is not a stream. */
  @FunctionalInterface
  interface Refusal {
    RuntimeException of(int status, String body);
  }

  /**
   * How to reconnect after an interruption.
   *
   * @param times the number of consecutive failed attempts allowed
   * @param pause the pause before each attempt
   */
  record Retries(int times, Duration pause) {}

  private record Connected(EventLines lines, CompletableFuture<HttpResponse<String>> answered) {}

  /**
   * @param request creates a request for the stream
   * @param silence describes why no response arrived
   */
  EventStream(
      HttpClient http,
      Supplier<HttpRequest.Builder> request,
      Refusal refusal,
      Function<IOException, String> silence,
      Retries retries) {
    this.http = http;
    this.request = request;
    this.refusal = refusal;
    this.silence = silence;
    this.retries = retries;
  }

  /**
   * Waits for the next event.
   *
   * @throws CommandFailedException if the connection fails, or reconnecting fails too often
   */
  public Event next() throws InterruptedException {
    String name = "message";
    String id = last;
    StringBuilder data = new StringBuilder();
    while (true) {
      Connected here = connected == null ? connect() : connected;
      String line = here.lines().take(SILENCE);
      if (line == null) {
        breakOff(here);
        name = "message";
        id = last;
        data.setLength(0);
        continue;
      }
      everReceived = true;
      failures = 0;
      if (line.isEmpty() && data.length() > 0) {
        last = id;
        return new Event(name, data.substring(1));
      } else if (line.startsWith("id:")) {
        id = value(line);
      } else if (line.startsWith("event:")) {
        name = value(line);
      } else if (line.startsWith("data:")) {
        data.append('\n').append(value(line));
      }
    }
  }

  private static String value(String line) {
    String value = line.substring(line.indexOf(':') + 1);
    return value.startsWith(" ") ? value.substring(1) : value;
  }

  private Connected connect() {
    EventLines lines = new EventLines();
    HttpRequest.Builder asked = request.get().header("Accept", "text/event-stream");
    if (!last.isEmpty()) {
      asked.header("Last-Event-ID", last);
    }
    BodyHandler<String> reader =
        head ->
            head.statusCode() == OK
                ? BodySubscribers.fromLineSubscriber(
                    lines, taken -> "", StandardCharsets.UTF_8, null)
                : BodySubscribers.ofString(StandardCharsets.UTF_8);
    CompletableFuture<HttpResponse<String>> answered = http.sendAsync(asked.build(), reader);
    CompletableFuture<HttpResponse<String>> unused =
        answered.whenComplete((response, failure) -> lines.end());
    Connected begun = new Connected(lines, answered);
    connected = begun;
    return begun;
  }

  /** Throws the reason for the interruption, unless a retry is worthwhile; otherwise pauses. */
  private void breakOff(Connected broken) throws InterruptedException {
    close();
    RuntimeException why = reason(broken.answered());
    if (why != null && (!everReceived || ++failures > retries.times())) {
      throw why;
    }
    TimeUnit.MILLISECONDS.sleep(retries.pause().toMillis());
  }

  /** Returns null if the stream ended or timed out without an error. */
  private @Nullable RuntimeException reason(CompletableFuture<HttpResponse<String>> answered)
      throws InterruptedException {
    try {
      HttpResponse<String> response = answered.get(1, TimeUnit.SECONDS);
      return response.statusCode() == OK ? null : refused(response);
    } catch (TimeoutException e) {
      return everReceived
          ? null
          : new CommandFailedException("nothing received for " + SILENCE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      return e.getCause() instanceof IOException broken
          ? new CommandFailedException(silence.apply(broken), e)
          : new CommandFailedException(String.valueOf(e.getCause()), e);
    }
  }

  /**
   * Creates the exception for an error status. Client errors are not retried; server errors may be
   * temporary.
   */
  private RuntimeException refused(HttpResponse<String> response) {
    if (response.statusCode() < FAILED) {
      everReceived = false;
    }
    return refusal.of(response.statusCode(), response.body());
  }

  @Override
  public void close() {
    Connected open = connected;
    connected = null;
    if (open != null) {
      open.lines().cancel();
    }
  }
}
