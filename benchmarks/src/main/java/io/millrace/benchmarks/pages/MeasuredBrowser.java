package io.millrace.benchmarks.pages;

import io.millrace.benchmarks.database.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/**
 * Debian's Chromium, without a window, as an operator who has signed in has it. A page has settled
 * when nothing of it has changed and nothing was requested for a while. Not thread-safe.
 */
final class MeasuredBrowser implements AutoCloseable {
  private static final Path BINARY = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int WIDTH = 1_440;
  private static final int HEIGHT = 900;

  /** Warns of each browser that is newer than it; kept, or its level is forgotten. */
  private static final Logger PROTOCOL = Logger.getLogger("org.openqa.selenium.devtools");

  private static final String SIGN_IN =
      """
      const [token, done] = arguments;
      fetch('api/v1/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      }).then((answer) => done(answer.status), (failure) => done(String(failure)));
      """;

  private final Path profile;
  private final ChromeDriver driver;
  private final String console;

  private MeasuredBrowser(Path profile, ChromeDriver driver, String console) {
    this.profile = profile;
    this.driver = driver;
    this.console = console;
  }

  /** A request of a page to the API, in milliseconds. */
  record Request(String path, double millis) {}

  /**
   * What came of a visit, in milliseconds after the page was asked for.
   *
   * @param shown when its data were there
   * @param settled when it last changed: what it asks for later, such as how long a list is, was
   *     there too
   */
  record Visit(double shown, double settled, List<Request> requests) {}

  /** Whether this machine has the browser and its driver. */
  static boolean isInstalled() {
    return Files.isExecutable(BINARY) && Files.isExecutable(DRIVER);
  }

  /** Opens a browser and signs in at the console. */
  static MeasuredBrowser signedIn(String console, String token) throws IOException {
    PROTOCOL.setLevel(Level.OFF);
    Path profile = Files.createTempDirectory("millrace-browser");
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    ChromeOptions options = new ChromeOptions();
    options.setBinary(BINARY.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--window-size=%d,%d".formatted(WIDTH, HEIGHT),
        "--user-data-dir=" + profile);
    MeasuredBrowser browser =
        new MeasuredBrowser(profile, new ChromeDriver(service, options), console);
    try {
      browser.signIn(token);
    } catch (RuntimeException e) {
      browser.close();
      throw e;
    }
    return browser;
  }

  private void signIn(String token) {
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", watch()));
    driver.get(console + "/");
    Visit unused = waitUntilSettled();
    Object status = driver.executeAsyncScript(SIGN_IN, token);
    if (!Long.valueOf(201).equals(status)) {
      throw new IllegalStateException("signing in at " + console + ": " + status);
    }
  }

  /** Opens a page of the console as if this browser had never been there, but signed in. */
  Visit visitFirst(String page) {
    devTools("Network.clearBrowserCache", Map.of());
    return visit(page);
  }

  /** Opens a page of the console anew; this browser has the files of the console in its cache. */
  Visit visit(String page) {
    driver.get("about:blank");
    driver.get(console + "/#" + page);
    return waitUntilSettled();
  }

  /** Opens a page in a tab of its own, which stays open. */
  void openTab(String page) {
    driver.switchTo().newWindow(WindowType.TAB);
    driver.get(console + "/#" + page);
  }

  private Visit waitUntilSettled() {
    Map<?, ?> seen =
        (Map<?, ?>)
            Objects.requireNonNull(driver.executeAsyncScript("watchPage(...arguments)"), "seen");
    List<Request> requests = new ArrayList<>();
    for (Object each : (List<?>) Objects.requireNonNull(seen.get("requests"), "requests")) {
      Map<?, ?> request = (Map<?, ?>) each;
      requests.add(new Request(String.valueOf(request.get("path")), millis(request.get("millis"))));
    }
    return new Visit(millis(seen.get("shown")), millis(seen.get("settled")), requests);
  }

  private static double millis(@Nullable Object number) {
    return ((Number) Objects.requireNonNull(number, "millis")).doubleValue();
  }

  private void devTools(String command, Map<String, Object> params) {
    Map<String, Object> unused = driver.executeCdpCommand(command, params);
  }

  private static String watch() {
    try (var content = MeasuredBrowser.class.getResourceAsStream("watch-page.js")) {
      return new String(Objects.requireNonNull(content).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
    Directories.deleteQuietly(profile);
  }
}
