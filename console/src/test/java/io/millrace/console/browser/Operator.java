package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * Somebody who sits at the console: reads what is there, clicks what has a name, types into what
 * has a label. While a dialog is open nothing else can be reached.
 */
final class Operator {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration GLANCE = Duration.ofMillis(40);

  private final Chromium browser;
  private final ChromeDriver driver;
  private String console = "";

  Operator(Chromium browser) {
    this.browser = browser;
    this.driver = browser.driver();
  }

  Chromium browser() {
    return browser;
  }

  /** Comes to the console as one who never was there. */
  void visit(String url) {
    console = url;
    browser.devTools("Network.clearBrowserCookies", Map.of());
    browser.devTools(
        "Storage.clearDataForOrigin", Map.of("origin", url, "storageTypes", "local_storage"));
    driver.get(url + "/");
    assertThat(driver.getTitle()).as(driver.getPageSource()).endsWith("Millrace");
    settle();
  }

  void signIn(String token) {
    type("Token", token);
    click("Sign in");
    sees("Sign out");
    settle();
  }

  /** Goes to a page by its address within the console, such as {@code /jobs?group=orders}. */
  void open(String address) {
    if (!driver.getCurrentUrl().startsWith(console)) {
      driver.get(console + "/#" + address);
      settle();
      return;
    }
    driver.executeAsyncScript("window.watch.open(...arguments)", "#" + address);
  }

  /** Whether somebody is signed in there, and this is where the browser is. */
  boolean isAt(String url) {
    if (!String.valueOf(driver.getCurrentUrl()).startsWith(url + "/")) {
      return false;
    }
    console = url;
    return canClick("Sign out");
  }

  /** Asks the tracker for the whole page again. */
  void reload() {
    driver.navigate().refresh();
    settle();
  }

  /** Waits until nothing is loading. */
  void settle() {
    driver.executeAsyncScript("window.watch.settle(...arguments)");
  }

  @Nullable Object script(String text, Object... arguments) {
    return driver.executeScript(text, arguments);
  }

  String address() {
    return Objects.requireNonNull(driver.getCurrentUrl()).substring(console.length());
  }

  String heading() {
    return driver.findElement(By.cssSelector("h1")).getText();
  }

  /** All that can be read on the page, what is not shown left out. */
  String text() {
    return String.valueOf(script("return document.body.innerText"));
  }

  /** All there is on the page, also what is not shown. */
  String html() {
    return String.valueOf(script("return document.documentElement.outerHTML"));
  }

  /** Sets {@code theme} or {@code language}, as the choices at the top of the page do. */
  void set(String choice, String value) {
    script(
        """
        const [id, value] = arguments;
        const choice = document.getElementById(id);
        if (choice) {
          choice.value = value;
          choice.dispatchEvent(new Event('change'));
        } else {
          document.documentElement.dataset[id] = value;
        }
        """,
        choice,
        value);
  }

  /** What can be read in each of the visible elements of this kind. */
  @SuppressWarnings("unchecked")
  List<String> texts(String selector) {
    return (List<String>)
        Objects.requireNonNull(script("return watch.texts(arguments[0])", selector));
  }

  /** Waits until this can be read. */
  void sees(String text) {
    await(text)
        .atMost(PATIENCE)
        .pollInterval(GLANCE)
        .untilAsserted(() -> assertThat(text()).contains(text));
  }

  /** Waits until this can be read in an element of this kind. */
  void seesIn(String selector, String text) {
    await(selector + ": " + text)
        .atMost(PATIENCE)
        .pollInterval(GLANCE)
        .untilAsserted(() -> assertThat(texts(selector)).anyMatch(each -> each.contains(text)));
  }

  /** Waits until this cannot be read any more. */
  void seesNoMore(String text) {
    await(text)
        .atMost(PATIENCE)
        .pollInterval(GLANCE)
        .untilAsserted(() -> assertThat(text()).doesNotContain(text));
  }

  /** Waits until the row of a table that has this cell also has this text. */
  void seesInRow(String cell, String text) {
    await(cell + ": " + text)
        .atMost(PATIENCE)
        .pollInterval(GLANCE)
        .untilAsserted(() -> assertThat(row(cell)).contains(text));
  }

  /** What can be read in the row of a table that has this cell; nothing if there is none. */
  String row(String cell) {
    Object text = script("return watch.row(arguments[0])?.innerText ?? ''", cell);
    return String.valueOf(text).replaceAll("(?U)\\s+", " ");
  }

  /** Whether there is something to click that is called so. */
  boolean canClick(String name) {
    return script("return watch.clickable(arguments[0])", name) != null;
  }

  /** Clicks the button or link of this text, or of this label where it has one. */
  void click(String name) {
    reached(
        name,
        () -> (WebElement) script("return watch.clickable(arguments[0])", name),
        WebElement::click);
  }

  /** The same in the row of a table that has this cell. */
  void clickInRow(String cell, String name) {
    reached(
        name + " of " + cell,
        () -> (WebElement) script("return watch.clickable(arguments[1], arguments[0])", cell, name),
        WebElement::click);
  }

  /** Clicks a box to tick, or a button to choose, by its label. */
  void tick(String label) {
    reached(label, () -> field(label), WebElement::click);
  }

  /** Puts this into the field of this label in the place of what was there. */
  void type(String label, CharSequence text) {
    reached(
        label,
        () -> field(label),
        field -> field.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.BACK_SPACE, text));
  }

  /** Chooses among what the field of this label offers. */
  void choose(String label, String option) {
    reached(
        label,
        () -> field(label),
        field ->
            field.findElements(By.tagName("option")).stream()
                .filter(each -> each.getText().equals(option))
                .findFirst()
                .orElseThrow(() -> new AssertionError(label + " does not offer " + option))
                .click());
  }

  /** What the field of this label holds. */
  String holds(String label) {
    return String.valueOf(Objects.requireNonNull(field(label)).getDomProperty("value"));
  }

  private @Nullable WebElement field(String label) {
    return (WebElement) script("return watch.field(arguments[0])", label);
  }

  /** Every field that takes text, of the open dialog or else of the page. */
  @SuppressWarnings("unchecked")
  List<WebElement> textFields() {
    return (List<WebElement>) Objects.requireNonNull(script("return watch.textFields()"));
  }

  /** Sends every form there is, whatever the browser thinks of what was typed. */
  void submitForms() {
    script("watch.submitForms()");
    settle();
  }

  /**
   * Clicks the first of those that are called so; false if there is none, or it cannot be clicked.
   */
  boolean clickFirst(String text) {
    return Boolean.TRUE.equals(script("return watch.clickFirst(arguments[0])", text));
  }

  /** What the tracker answers to a request of the browser's. */
  String fetched(String path) {
    return String.valueOf(
        driver.executeAsyncScript(
            "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])", path));
  }

  /** Presses keys, wherever the focus is. */
  void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** What the focus is on. */
  String focus() {
    return String.valueOf(
        script(
            "const at = document.activeElement; return at.getAttribute('aria-label')"
                + " ?? (at.innerText.trim() || at.labels?.[0]?.innerText || at.tagName)"));
  }

  /** What an open dialog says; nothing if none is open. */
  String dialog() {
    return String.valueOf(script("return document.querySelector('dialog[open]')?.innerText ?? ''"));
  }

  /** Waits for a dialog that says this. */
  void isAsked(String text) {
    await(text)
        .atMost(PATIENCE)
        .pollInterval(GLANCE)
        .untilAsserted(() -> assertThat(dialog()).contains(text));
  }

  @FunctionalInterface
  private interface Look {
    @Nullable WebElement find();
  }

  @FunctionalInterface
  private interface Deed {
    void to(WebElement element);
  }

  /** Pages draw themselves anew at any time: looks again if what was found is gone. */
  private void reached(String what, Look look, Deed deed) {
    await(what)
        .atMost(PATIENCE)
        .pollInterval(GLANCE)
        .ignoreException(StaleElementReferenceException.class)
        .ignoreException(org.openqa.selenium.ElementClickInterceptedException.class)
        .ignoreException(org.openqa.selenium.ElementNotInteractableException.class)
        .ignoreExceptionsMatching(
            failure -> failure instanceof JavascriptException && isTwice(failure))
        .until(
            () -> {
              WebElement element = look.find();
              if (element == null || !element.isEnabled()) {
                return false;
              }
              deed.to(element);
              return true;
            });
  }

  private static boolean isTwice(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains(" times ");
  }
}
