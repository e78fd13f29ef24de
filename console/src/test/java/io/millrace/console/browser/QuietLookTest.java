package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is not needed at the moment stays in the background, and what is odd does not spoil the
 * page.
 */
@InBrowser
class QuietLookTest {
  private static final String NONE = "rgba(0, 0, 0, 0)";
  private static final String TARGETS = "td button, td a, label:has(input[type=checkbox])";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.admin());
    operator.browser().putMouseAside();
  }

  /** The row of a replay that died has one more link. */
  private static void replayInVain(ConsoleScene scene, String task) throws Exception {
    String dead = scene.die(task, "no answer");
    scene.as(scene.alice(), "POST", "/dead/" + dead + "/replay", "{}");
  }

  @AfterEach
  void restoreTheScreen(Operator operator) {
    touch(operator, false);
  }

  /** How the first element of this kind looks. */
  private static Object style(Operator operator, String selector, String property) {
    return Objects.requireNonNull(
        operator.script(
            "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]",
            selector,
            property));
  }

  private static boolean holds(Operator operator, String script) {
    return Boolean.TRUE.equals(operator.script(script));
  }

  private static String actions(String task) {
    return "tr[data-key='reports/" + task + "'] td.actions button";
  }

  @Test
  void actionsOfARowAreQuietUntilItIsWanted(Operator operator, ConsoleScene scene) {
    String button = actions("daily-sales");
    operator.open("/jobs?group=reports");
    operator.script("document.activeElement.blur()");
    assertThat(style(operator, button, "borderTopColor")).isEqualTo(NONE);
    assertThat(style(operator, button + ":last-child", "color"))
        .as("nothing is red yet")
        .isEqualTo(style(operator, button, "color"));

    operator.browser().putMouseOn("tr[data-key='reports/daily-sales'] td a");
    assertThat(style(operator, button, "borderTopColor")).isNotEqualTo(NONE);
    assertThat(style(operator, actions("weekly-summary"), "borderTopColor")).isEqualTo(NONE);
    operator.browser().putMouseAside();
    assertThat(style(operator, button, "borderTopColor")).isEqualTo(NONE);

    operator.script("document.querySelector(arguments[0]).focus()", button);
    assertThat(style(operator, button, "borderTopColor")).isNotEqualTo(NONE);
    operator.script("document.activeElement.blur()");
    touch(operator, true);
    assertThat(holds(operator, "return matchMedia('(hover: hover)').matches")).isFalse();
    assertThat(style(operator, button, "borderTopColor"))
        .as("without a pointer that hovers")
        .isNotEqualTo(NONE);
  }

  /** Whether the screen is touched, so that there is no pointer. */
  private static void touch(Operator operator, boolean isTouched) {
    operator.browser().devTools("Emulation.setTouchEmulationEnabled", Map.of("enabled", isTouched));
  }

  @Test
  void onlyWhatIsDangerousTurnsRedUnderThePointer(Operator operator, ConsoleScene scene) {
    String button = actions("daily-sales");
    operator.open("/jobs?group=reports");

    operator.browser().putMouseOn(button + ":last-child");

    assertThat(style(operator, button + ":last-child", "color"))
        .isNotEqualTo(style(operator, button, "color"));
  }

  @Test
  void linksOfATableAreUnderlinedWhenTheyAreMeant(Operator operator, ConsoleScene scene) {
    String link = "tr[data-key='reports/daily-sales'] td a";
    operator.open("/jobs?group=reports");
    assertThat(style(operator, link, "textDecorationLine")).isEqualTo("none");

    operator.browser().putMouseOn(link);
    assertThat(style(operator, link, "textDecorationLine")).isEqualTo("underline");
  }

  @Test
  void selectionHasItsActionsWithoutMovingARow(Operator operator, ConsoleScene scene) {
    String top = "return watch.row('daily-sales').getBoundingClientRect().top";
    operator.open("/jobs?group=reports");
    assertThat(operator.texts(".selection")).isEmpty();
    Object before = Objects.requireNonNull(operator.script(top));

    operator.tick("Select reports/daily-sales");

    assertThat(operator.texts(".selection")).singleElement().asString().contains("1 selected");
    assertThat(operator.script(top)).isEqualTo(before);
    operator.tick("Select reports/daily-sales");
    assertThat(operator.texts(".selection")).isEmpty();
  }

  @Test
  void whatIsClickedIsLargeEnough(Operator operator, ConsoleScene scene) throws Exception {
    replayInVain(scene, "size:1");
    operator.open("/dead");
    operator.seesInRow("size:1", "replay");

    for (String page : List.of("/jobs", "/dead", "/running", "/history")) {
      operator.open(page);
      assertThat(operator.texts(TARGETS)).as("targets on %s", page).isNotEmpty();
      assertThat(
              operator.script(
                  """
                  const small = ({ localName, width, height }) => height < 23.9 || (width < 23.9 && localName !== 'a');
                  return [...document.querySelectorAll(arguments[0])]
                    .map((each) => {
                      const { width, height } = each.getBoundingClientRect();
                      return { localName: each.localName, text: each.textContent.trim(), width, height };
                    })
                    .filter(small)
                    .map((each) => JSON.stringify(each))
                    .join('\\n');
                  """,
                  TARGETS))
          .as("targets under 24 pixels on %s", page)
          .isEqualTo("");
    }
  }

  @Test
  void roleOfATokenIsNotCutOff(Operator operator, ConsoleScene scene) {
    operator.open("/tokens");
    assertThat(
            holds(
                operator,
                """
                const role = document.getElementById('role');
                const natural = role.cloneNode(true);
                natural.style.cssText = 'position: fixed; width: max-content; max-width: none';
                document.body.append(natural);
                const isWhole = role.offsetWidth >= natural.offsetWidth;
                natural.remove();
                return isWhole;
                """))
        .isTrue();
  }

  @Test
  void longParameterDoesNotStretchThePage(Operator operator, ConsoleScene scene) {
    scene
        .client()
        .submit(
            Job.builder("orders", "wordy")
                .cron("0 0 5 1 1 ?")
                .param("text", "a line of the text\n".repeat(20_000))
                .build());
    operator.open("/jobs/orders/wordy");

    assertThat(holds(operator, "return document.documentElement.scrollHeight < 4000")).isTrue();
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }

  @Test
  void meterOfALateGroupIsNotGreen(Operator operator, ConsoleScene scene) {
    operator.open("/");
    operator.sees(ConsoleScene.LATE_GROUP);
    assertThat(
            holds(
                operator,
                "return document.querySelector('tr[data-key=mail] meter').classList.contains('bad')"
                    + " && !document.querySelector('tr[data-key=reports] meter')"
                    + ".classList.contains('bad')"))
        .isTrue();
  }

  @Test
  void nameThatIsReadFromTheRightDoesNotTurnTheTextAroundIt(Operator operator, ConsoleScene scene) {
    String task = "\u05e9\u05dc\u05d5\u05dd";
    scene.client().submit(Job.builder("orders", task).cron("0 0 5 1 1 ?").build());
    operator.open("/jobs?group=orders");
    operator.sees(task);

    assertThat(operator.texts("td a > bdi")).contains(task, "orders");
  }

  @Test
  void unseenCharactersAreShownByTheirNumbers(Operator operator, ConsoleScene scene) {
    assertThat(
            operator
                .browser()
                .driver()
                .executeAsyncScript(
                    """
                    const [text, done] = arguments;
                    import(watch.base() + 'core/names.js').then(({ visible }) => done(visible(text)));
                    """,
                    "evil\u202Eevol, \u4efb\u52a1, a\nb"))
        .isEqualTo("evil\u27e8U+202E\u27e9evol, \u4efb\u52a1, a\nb");
  }
}
