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
 * Events of the API, as they come. What breaks off is begun again behind the last event that was
 * had, so that nothing is lost. Used by one thread.
 */
public final class EventStream implements AutoCloseable {
  /** The API says something every 15 s, if only that it is there. */
  private static final Duration SILENCE = Duration.ofSeconds(45);

  private static final int OK = 200;
  private static final int FAILED = 500;

  private final HttpClient http;
  private final Supplier<HttpRequest.Builder> request;
  private final Refusal refusal;
  private final Function<IOException, String> silence;
  private final Retries retries;
  private int failures;
  private boolean everHeard;
  private String last = "";
  private @Nullable Connected connected;

  /**
   * An event.
   *
   * @param name of its kind
   * @param data as it was sent
   */
  public record Event(String name, String data) {}

  /** Says what is to be thrown for an answer that is no stream. */
  @FunctionalInterface
  interface Refusal {
    RuntimeException of(int status, String body);
  }

  /**
   * How a stream that has broken off is begun again.
   *
   * @param times how often without hearing anything
   * @param pause before each
   */
  record Retries(int times, Duration pause) {}

  private record Connected(EventLines lines, CompletableFuture<HttpResponse<String>> answered) {}

  /**
   * @param request begins a request for the stream
   * @param silence says in words why there was no answer
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
   * @throws CommandFailedException if the API cannot be reached, or not again
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
      everHeard = true;
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

  /** Throws what it broke off for, unless it is worth another try. */
  private void breakOff(Connected broken) throws InterruptedException {
    close();
    RuntimeException why = reason(broken.answered());
    if (why != null && (!everHeard || ++failures > retries.times())) {
      throw why;
    }
    TimeUnit.MILLISECONDS.sleep(retries.pause().toMillis());
  }

  /** Null if it was a stream that has simply ended, or fallen silent. */
  private @Nullable RuntimeException reason(CompletableFuture<HttpResponse<String>> answered)
      throws InterruptedException {
    try {
      HttpResponse<String> response = answered.get(1, TimeUnit.SECONDS);
      return response.statusCode() == OK ? null : refused(response);
    } catch (TimeoutException e) {
      return everHeard
          ? null
          : new CommandFailedException("nothing was heard for " + SILENCE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      return e.getCause() instanceof IOException broken
          ? new CommandFailedException(silence.apply(broken), e)
          : new CommandFailedException(String.valueOf(e.getCause()), e);
    }
  }

  /** What is refused for good is not asked again; a tracker that fails may not do so for long. */
  private RuntimeException refused(HttpResponse<String> response) {
    if (response.statusCode() < FAILED) {
      everHeard = false;
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
