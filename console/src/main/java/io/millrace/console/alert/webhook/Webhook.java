package io.millrace.console.alert.webhook;

import io.millrace.console.alert.monitor.AlertMessage;
import io.millrace.console.alert.monitor.AlertReceiver;
import io.millrace.console.alert.monitor.DeliveryException;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.config.Secret;
import io.millrace.internal.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts alerts to one address. Follows no redirects, so that only configured addresses are called.
 */
public final class Webhook implements AlertReceiver {
  static final String TIMESTAMP = "X-Millrace-Timestamp";
  static final String SIGNATURE = "X-Millrace-Signature";
  static final String DELIVERY = "X-Millrace-Delivery";

  /** Client errors (4xx) that a retry may overcome: 408, 425 and 429. */
  private static final Set<Integer> PASSING = Set.of(408, 425, 429);

  private final WebhookConfig config;
  private final HttpClient http;
  private final JsonCodec codec;
  private final Clock clock;
  private final Duration timeout;

  /**
   * Creates a webhook for each address.
   *
   * @param executor runs the I/O of connections; not the executor that calls {@link #deliver},
   *     which would wait for itself
   * @param timeout for connecting, and for receiving the status of an answer
   */
  public static List<Webhook> all(
      List<WebhookConfig> configs,
      Executor executor,
      JsonCodec codec,
      Clock clock,
      Duration timeout) {
    HttpClient http =
        HttpClient.newBuilder()
            .executor(executor)
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    return configs.stream()
        .map(config -> new Webhook(config, http, codec, clock, timeout))
        .toList();
  }

  private Webhook(
      WebhookConfig config, HttpClient http, JsonCodec codec, Clock clock, Duration timeout) {
    this.config = config;
    this.http = http;
    this.codec = codec;
    this.clock = clock;
    this.timeout = timeout;
  }

  @Override
  public String type() {
    return "webhook";
  }

  @Override
  public String name() {
    return config.toString();
  }

  @Override
  public void deliver(AlertMessage message, long undelivered) {
    byte[] body = codec.encode(WebhookBody.of(message, undelivered));
    long timestamp = clock.millis() / 1_000;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(config.url())
            .header("Content-Type", "application/json")
            .header("User-Agent", "Millrace")
            .header(DELIVERY, message.id())
            .header(TIMESTAMP, Long.toString(timestamp))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    Secret secret = config.secret();
    if (secret != null) {
      request.header(SIGNATURE, Signature.of(secret, timestamp, body));
    }
    judge(send(request.build()));
  }

  /**
   * Waits for the status only, then closes the connection without reading the body, so that an
   * endless body blocks nothing.
   */
  private int send(HttpRequest request) {
    CompletableFuture<HttpResponse<InputStream>> answer =
        http.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
    try {
      HttpResponse<InputStream> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      response.body().close();
      return response.statusCode();
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new DeliveryException("it did not answer within " + timeout.toMillis() + " ms");
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new DeliveryException("the tracker is stopping");
    } catch (ExecutionException e) {
      throw new DeliveryException("it cannot be reached: " + e.getCause());
    } catch (IOException e) {
      throw new DeliveryException("its answer was cut off: " + e);
    }
  }

  private static void judge(int status) {
    if (status >= 300 && status < 400) {
      throw new DeliveryException(
          "it answered " + status + ", and redirects are not followed", false);
    }
    if (status < 200 || status >= 300) {
      boolean passing = status >= 500 || PASSING.contains(status);
      throw new DeliveryException("it answered " + status, passing);
    }
  }
}
