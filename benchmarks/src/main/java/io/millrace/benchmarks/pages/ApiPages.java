package io.millrace.benchmarks.pages;

import io.millrace.benchmarks.measure.WallClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The pages of a console's API, as an operator requests them. */
public final class ApiPages {
  /** Longer than any page should take. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final String url;
  private final String token;
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * @param url where the console is, without a path
   * @param token what an operator signs in with
   */
  public ApiPages(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /**
   * Requests a page.
   *
   * @return its content
   * @throws IllegalStateException if the tracker rejects the request
   */
  public String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + token)
                .timeout(PATIENCE)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  /** Returns the response time of a page, in nanoseconds. */
  public long time(String path) throws IOException, InterruptedException {
    long begin = WallClock.nanoTime();
    String unused = get(path);
    return WallClock.nanoTime() - begin;
  }
}
