package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobDetail;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.openqa.selenium.Keys;

/** Each page on a phone, a laptop and a large screen, in both themes and languages. */
@InBrowser
class AtEveryWidthTest {
  static final List<String> PAGES = ConsolePages.NAMES;

  private static final int PHONE = 390;
  private static final int LAPTOP = 1_440;
  private static final List<Integer> WIDTHS = List.of(PHONE, LAPTOP, 2_560);

  /** What reaches beyond the right edge, the widest first; what can be scrolled by itself may. */
  private static final String TOO_WIDE =
      """
      const width = document.documentElement.clientWidth;
      const isIn = (element) => element.closest('.scroll, pre, .log') !== null;
      const dialog = document.querySelector('dialog[open]');
      const rect = dialog?.getBoundingClientRect();
      const isCut = dialog &&
        (rect.left < 0 || rect.right > width || rect.bottom > innerHeight || dialog.scrollWidth > dialog.clientWidth);
      const wide = document.documentElement.scrollWidth <= width ? [] :
        [...document.body.querySelectorAll('*')]
          .filter((each) => !isIn(each) && each.getBoundingClientRect().right > width)
          .map((each) => `${each.tagName}.${each.className} ${each.getBoundingClientRect().right}`);
      return isCut ? [...wide, dialog.outerHTML] : wide;
      """;

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    if (!operator.isAt(scene.url())) {
      operator.visit(scene.url());
      operator.signIn(scene.admin());
    }
  }

  @AfterEach
  void restoreTheSize(Operator operator) {
    operator.set("theme", "light");
    operator.browser().size(Chromium.WIDTH, Chromium.HEIGHT);
  }

  @ParameterizedTest
  @FieldSource("PAGES")
  void pageHasNoBarriers(String name, Operator operator, ConsoleScene scene) {
    operator.open(Objects.requireNonNull(ConsolePages.of(scene).get(name)));
    assertThat(faults(operator, () -> {})).as(name).isEmpty();
  }

  @Test
  void pageToSignInHasNoBarriers(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    assertThat(faults(operator, () -> {})).isEmpty();
  }

  @Test
  void questionHasNoBarriers(Operator operator, ConsoleScene scene) {
    operator.open("/jobs?group=reports");
    assertThat(faults(operator, () -> ConsoleDialogs.question(operator))).isEmpty();
    operator.click("Back");
  }

  @Test
  void finderHasNoBarriers(Operator operator, ConsoleScene scene) {
    operator.open("/");
    assertThat(faults(operator, () -> ConsoleDialogs.finder(operator))).isEmpty();
    operator.press(Keys.ESCAPE);
  }

  @Test
  void endOfTheSessionHasNoBarriers(Operator operator, ConsoleScene scene) {
    operator.open("/workers");
    assertThat(faults(operator, () -> ConsoleDialogs.endOfSession(operator))).isEmpty();
  }

  /**
   * What is wrong at any width. The words of both languages have the same colours, and the same
   * structure at each width: that is judged in Chinese at one width only.
   *
   * @param first what is done in each language before it is looked at
   */
  private static List<String> faults(Operator operator, Runnable first) {
    operator.browser().putMouseAside();
    List<String> faults = new ArrayList<>();
    for (int width : WIDTHS) {
      operator.browser().size(width, 900);
      for (String language : List.of("zh", "en")) {
        String at = width + " " + language + " ";
        operator.set("language", language);
        first.run();
        operator.settle();
        tooWide(operator).forEach(each -> faults.add(at + "wide: " + each));
        if (language.equals("en") || width == LAPTOP) {
          Accessibility.barriers(operator).forEach(each -> faults.add(at + each));
        }
      }
      operator.set("theme", "dark");
      operator.settle();
      Accessibility.faintWords(operator).forEach(each -> faults.add(width + " dark " + each));
      operator.set("theme", "light");
    }
    return faults;
  }

  private static List<?> tooWide(Operator operator) {
    return (List<?>) Objects.requireNonNull(operator.script(TOO_WIDE));
  }

  @Test
  void allCanBeReachedOnAPhone(Operator operator, ConsoleScene scene) {
    operator.browser().size(PHONE, 800);
    operator.open("/jobs?group=reports");
    assertThat(operator.canClick("Sign out")).isFalse();
    assertThat(operator.row("daily-sales")).contains("daily-sales");
    assertThat(
            operator.script(
                "return getComputedStyle(watch.row('daily-sales').querySelector('td[data-label]'),"
                    + " '::before').content"))
        .isEqualTo("\"Job\"");

    operator.click("Pause daily-sales");
    operator.isAsked("Pause reports/daily-sales?");
    assertThat(
            operator.script(
                "const { left, right, bottom } ="
                    + " document.querySelector('dialog[open]').getBoundingClientRect();"
                    + " return left >= 0 && right <= innerWidth && bottom <= innerHeight"))
        .isEqualTo(true);
    assertThat(tooWide(operator)).isEmpty();
    operator.click("Back");

    operator.click("☰ Pages");
    assertThat(operator.canClick("Sign out")).isTrue();
    assertThat(tooWide(operator)).isEmpty();
    operator.click("Late");
    operator.sees("What is late, and why?");
  }

  @Test
  void pageIsInTheMiddleOfALargeScreen(Operator operator, ConsoleScene scene) {
    operator.browser().size(2_560, 1_200);
    operator.open("/jobs");

    assertThat(
            operator.script(
                "const { left, right } = document.querySelector('main').getBoundingClientRect();"
                    + " const begin = document.querySelector('nav').getBoundingClientRect().right;"
                    + " return left > begin + 100"
                    + " && Math.abs(left - begin - (innerWidth - right)) < 2"))
        .isEqualTo(true);
  }

  private static final int RUNS = 20;
  private static final Duration LONG = Duration.ofSeconds(12 * 60 + 34);

  /** What cannot be seen without scrolling sideways, in pixels. */
  private static final String BEYOND =
      "const { scrollWidth, clientWidth } = document.querySelector('main .scroll');"
          + " return scrollWidth - clientWidth";

  /** A job whose columns are wide: twenty runs, which took long and were late. */
  private static void submitWideJob(ConsoleScene scene) {
    scene
        .client()
        .submit(
            Job.builder("reports", "wide")
                .cron("0 30 2 * * ?", ZoneId.of("America/Chicago"))
                .build());
    long job = Long.parseLong(scene.get("/jobs/reports/wide", JobDetail.class).id());
    PastRun.write(
        scene,
        IntStream.range(0, RUNS)
            .mapToObj(i -> Instant.parse("2026-03-02T05:00:00Z").plusSeconds(3_600 * i))
            .map(
                due ->
                    new PastRun(
                        "reports",
                        "wide",
                        job,
                        due,
                        due.plus(LONG),
                        due.plus(LONG).plus(LONG),
                        "reports-1"))
            .toList());
  }

  @Test
  void jobsFitOnALaptopWithTheirLastRuns(Operator operator, ConsoleScene scene) {
    submitWideJob(scene);
    operator.open("/jobs");
    for (String language : List.of("zh", "en")) {
      operator.set("language", language);
      for (int width : List.of(1_280, 1_440, 1_920, 2_560)) {
        operator.browser().size(width, 900);
        operator.settle();
        assertThat(operator.script(BEYOND)).as("%s at %d", language, width).isEqualTo(0L);
        assertThat(operator.texts("svg.runs")).as("%s at %d", language, width).isNotEmpty();
        assertThat(operator.texts("th.spread"))
            .as("%s at %d", language, width)
            .hasSize(width < LAPTOP ? 0 : 2);
        assertThat(operator.texts("th.lesser"))
            .as("%s at %d", language, width)
            .hasSize(width < 1_984 ? 0 : 2);
      }
    }
    assertThat(operator.row("wide")).contains("12 min 34 s / 12 min 34 s");
    operator.browser().size(PHONE, 900);
    assertThat(operator.texts("td.lesser")).isNotEmpty();
    assertThat(operator.texts("td.spread")).isNotEmpty();
    scene.client().cancel("reports", "wide");
  }

  @Test
  void explanationIsNotCutOff(Operator operator, ConsoleScene scene) {
    operator.open("/jobs/billing/charge:7301");
    assertThat(operator.texts("ul.explanation li")).isNotEmpty();

    for (int width : WIDTHS) {
      operator.browser().size(width, 900);
      assertThat(
              operator.script(
                  "const list = document.querySelector('ul.explanation');"
                      + " return list.scrollWidth <= list.clientWidth"))
          .as("all can be read at %d", width)
          .isEqualTo(true);
    }
  }
}
