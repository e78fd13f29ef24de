package io.millrace.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * The machine's Chromium, without a window, over a profile that is empty at its start. In every
 * page that it opens runs {@code watch.js} before the page itself. Not thread-safe.
 */
final class Chromium implements AutoCloseable {
  static final int WIDTH = 1_280;
  static final int HEIGHT = 860;

  /** Where its clock is: not where the tracker's is, and not where this JVM's is. */
  private static final String ZONE = "Asia/Shanghai";

  /** That there is a mouse, which is not so without a window: hovering, and a fine pointer. */
  private static final String MOUSE =
      "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";

  private static final String BINARY = "/usr/bin/chromium";
  private static final String DRIVER = "/usr/bin/chromedriver";
  private static final Duration SCRIPT_PATIENCE = Duration.ofSeconds(20);

  /** A request that the tracker refuses is logged by the browser; pages show the refusal. */
  private static final Pattern REFUSAL =
      Pattern.compile(
          "/api/v1/.* - Failed to load resource: "
              + "(the server responded with a status of 4\\d\\d .*|net::ERR_CONNECTION_REFUSED"
              + "|net::ERR_CONNECTION_RESET|net::ERR_EMPTY_RESPONSE"
              + "|net::ERR_INCOMPLETE_CHUNKED_ENCODING)");

  /**
   * Complains that it does not know the protocol of browsers newer than itself. Kept, or it
   * forgets.
   */
  private static final Logger PROTOCOL = Logger.getLogger("org.openqa.selenium.devtools");

  private final Path profile;
  private final ChromeDriver driver;

  private Chromium(Path profile, ChromeDriver driver) {
    this.profile = profile;
    this.driver = driver;
  }

  static Chromium open() {
    PROTOCOL.setLevel(Level.OFF);
    Path profile = directory();
    ChromeDriver driver = new ChromeDriver(service(), options(profile));
    Chromium opened = new Chromium(profile, driver);
    driver.manage().timeouts().scriptTimeout(SCRIPT_PATIENCE);
    opened.devTools(
        "Page.addScriptToEvaluateOnNewDocument", Map.of("source", resource("watch.js")));
    opened.size(WIDTH, HEIGHT);
    return opened;
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("millrace-browser");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With the paths said, nobody looks for a driver on the network. */
  private static ChromeDriverService service() {
    return new ChromeDriverService.Builder()
        .usingDriverExecutable(Path.of(DRIVER).toFile())
        .withEnvironment(Map.of("TZ", ZONE, "LANG", "en_US.UTF-8", "LANGUAGE", "en_US"))
        .build();
  }

  private static ChromeOptions options(Path profile) {
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(BINARY);
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--blink-settings=" + MOUSE,
        "--lang=en-US",
        "--user-data-dir=" + profile);
    return options;
  }

  /** A file beside this class. */
  static String resource(String name) {
    return text(Chromium.class.getResource(name), name);
  }

  /** A file of the class path. */
  static String text(java.net.@Nullable URL file, String name) {
    try (var content = Objects.requireNonNull(file, name).openStream()) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  ChromeDriver driver() {
    return driver;
  }

  /** Asks the browser itself, past the page. */
  Map<String, Object> devTools(String command, Map<String, Object> params) {
    return driver.executeCdpCommand(command, params);
  }

  /** The size of what a page has for itself, in pixels. */
  void size(int width, int height) {
    devTools(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** So that nothing lies under it. */
  void putMouseAside() {
    devTools("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", 0, "y", HEIGHT - 1));
  }

  /** Points at the middle of the first element of this kind. */
  void putMouseOn(String selector) {
    String middle =
        """
        const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
        return [left + width / 2, top + height / 2];
        """;
    List<?> at = (List<?>) Objects.requireNonNull(driver.executeScript(middle, selector));
    devTools(
        "Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", at.get(0), "y", at.get(1)));
  }

  /** Takes a picture: PNG, or WebP if the name ends so. */
  void picture(Path file, Picture of) {
    Map<String, Object> params = new HashMap<>();
    params.put("captureBeyondViewport", of == Picture.WHOLE);
    if (of == Picture.WHOLE) {
      Object size = driver.executeScript("return document.documentElement.scrollHeight");
      params.put(
          "clip",
          Map.of("x", 0, "y", 0, "width", WIDTH, "height", ((Number) size).intValue(), "scale", 1));
    }
    if (file.toString().endsWith(".webp")) {
      params.put("format", "webp");
      params.put("quality", 80);
    }
    Object data = devTools("Page.captureScreenshot", params).get("data");
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.write(file, Base64.getDecoder().decode(String.valueOf(data)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What has gone wrong in pages since this was asked last: errors, promises that failed and nobody
   * cared, what the security policy forbade, and whatever else the browser logs as severe.
   */
  List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      if (entry.getLevel().intValue() >= Level.SEVERE.intValue()
          && !REFUSAL.matcher(entry.getMessage()).find()) {
        complaints.add(entry.getMessage());
      }
    }
    Object seen = driver.executeScript("return window.watch ? window.watch.complaints() : []");
    ((List<?>) Objects.requireNonNull(seen)).forEach(one -> complaints.add(String.valueOf(one)));
    return complaints;
  }

  @Override
  public void close() throws IOException {
    driver.quit();
    try (Stream<Path> files = Files.walk(profile)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
