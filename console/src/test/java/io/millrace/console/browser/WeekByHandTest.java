package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The hours of a week as cells, whose colour, words and links say what was counted in them. */
@InBrowser
class WeekByHandTest {
  private static final String GROUP = "weekly";
  private static final int ANOTHER_TRACKER = 78;
  private static final Duration DAY = Duration.ofDays(1);

  /**
   * Makes a grid of hours that were counted, in a zone: where each is, and from when to when its
   * cell is.
   */
  private static final String GRID =
      """
      const [zone, days, at, points, done] = arguments;
      const load = (name) => import(`${watch.base()}${name}.js`);
      Promise.all([load('core/zone'), load('pages/week')]).then(([z, m]) => {
        z.chooseZone('job');
        z.aboutZone(zone);
        const cells = m.gridOf(points.split(' ').map((at) => ({ at, happened: 1 })), days, Date.parse(at));
        const clock = (at) => new Date(at).toISOString().slice(11, 16);
        done(`${cells.size}: ` + [...cells].filter(([, { parts }]) => parts.length > 0)
          .map(([key, { parts, from, to }]) => `${key} ${parts.length} in ${clock(from)}-${clock(to)}`)
          .join(', '));
      }, (failure) => done(String(failure)));
      """;

  /** The contrast of text and ground for each level of the legend. */
  private static final String CONTRASTS =
      """
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const luminance = (colour) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) =>
          part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      return Object.fromEntries([...document.querySelectorAll('.legend .heat')].map((each) => {
        const { color, backgroundColor } = getComputedStyle(each);
        const [one, other] = [luminance(color), luminance(backgroundColor)];
        return [each.dataset.level, Math.max(one, other) / Math.min(one, other)];
      }));
      """;

  private Instant thisHour = Instant.EPOCH;

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    thisHour = Instant.now().truncatedTo(ChronoUnit.HOURS);
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.set("shown-zone", "utc");
    Stores stores = scene.console().database().stores();
    if (stores.console().fleet().groups().find(GROUP).isEmpty()) {
      stores.nodeGroups().ensure(GROUP, 100);
      MinuteCountStore counts = stores.console().fleet().counts();
      counted(counts, thisHour.minus(DAY), 400, 0, 0, 12);
      counted(counts, thisHour.minus(DAY.multipliedBy(2)), 30, 2, 5, 2_000);
      counted(
          counts, thisHour.minus(DAY.multipliedBy(2)).minus(Duration.ofHours(1)), 90, 1, 0, 300);
      counted(counts, thisHour.minus(DAY.multipliedBy(20)), 5, 0, 0, 30_000);
      assertThat(counts.moveToHours(thisHour.minus(DAY.multipliedBy(10)).toEpochMilli(), 1))
          .as("what is long ago is in another table")
          .isEqualTo(1);
    }
  }

  @AfterEach
  void goBackToTheZoneOfTheBrowser(Operator operator) {
    operator.set("shown-zone", "browser");
  }

  private static void counted(
      MinuteCountStore store, Instant hour, long succeeded, long failed, long dead, long late) {
    long started = succeeded + failed + dead;
    Counts counts =
        new Counts(
            Map.of(
                Of.STARTED, started,
                Of.SUCCEEDED, succeeded,
                Of.FAILED, failed,
                Of.DEAD, dead,
                Of.LATE_SUM, started * late,
                Of.LATE_MAX, 2 * late));
    store.add(
        ANOTHER_TRACKER,
        List.of(new MinuteCount(GROUP, hour.plusSeconds(120).toEpochMilli(), counts)));
  }

  /** The cell whose hour begins then, by a property of it. */
  private static String cell(Operator operator, Instant hour, String property) {
    return String.valueOf(
        operator.script(
            "return document.querySelector(`.week table a[href*='from=${arguments[0]}']`)[arguments[1]]",
            hour.toString().replace("Z", ".000Z").replace(":", "%3A"),
            property));
  }

  private static String level(Operator operator, Instant hour) {
    return cell(operator, hour, "outerHTML").replaceAll("(?s).*data-level=\"(\\d)\".*", "$1");
  }

  private static void follow(Operator operator, Instant hour) {
    Object unused =
        operator.script(
            "document.querySelector(`.week table a[href*='from=${arguments[0]}']`).click()",
            hour.toString().replace("Z", ".000Z").replace(":", "%3A"));
    operator.settle();
  }

  private static Map<String, String> query(Operator operator) {
    String address = operator.address();
    return Arrays.stream(address.substring(address.indexOf('?') + 1).split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
  }

  private static void colourBy(Operator operator, String measure) {
    operator.choose("Colour by", measure);
    operator.click("Search");
    operator.seesIn("h2", measure);
    operator.settle();
  }

  private static List<String> texts(Operator operator, String selector) {
    return operator.texts(selector).stream().filter(text -> !text.isEmpty()).toList();
  }

  @Test
  void cellSaysWhatWasCountedAndLeadsThere(Operator operator, ConsoleScene scene) {
    Instant bad = thisHour.minus(DAY.multipliedBy(2));
    operator.open("/week?group=" + GROUP);

    assertThat(texts(operator, ".week table a")).containsExactlyInAnyOrder("400", "37", "91");
    assertThat(cell(operator, bad, "title"))
        .contains("37 ended, of which 2 failed and 5 died; at most 4 s late");
    assertThat(cell(operator, bad, "ariaLabel"))
        .as("begins with what is seen")
        .isEqualTo("37 " + cell(operator, bad, "title"));
    assertThat(level(operator, bad)).isEqualTo("1");
    assertThat(level(operator, thisHour.minus(DAY))).isEqualTo("4");
    assertThat(level(operator, thisHour)).isEqualTo("0");
    assertThat(operator.texts("ul.legend li"))
        .containsExactly("0", "≤ 50", "≤ 100", "≤ 200", "> 200");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    follow(operator, bad);

    operator.sees("What happened?");
    assertThat(query(operator))
        .containsEntry("group", GROUP)
        .containsEntry("from", bad.toString().replace("Z", ".000Z"))
        .containsEntry("to", bad.plusSeconds(3_600).toString().replace("Z", ".000Z"))
        .containsEntry("by", "END")
        .containsEntry("status", "SUCCEEDED,RETRIED,FAILED,DEAD,SKIPPED,CANCELLED");
  }

  @Test
  void measureIsChosenAndLeadsToWhatItCounts(Operator operator, ConsoleScene scene) {
    Instant bad = thisHour.minus(DAY.multipliedBy(2));
    operator.open("/week?group=" + GROUP);

    colourBy(operator, "Failures");
    assertThat(texts(operator, ".week table a")).containsExactlyInAnyOrder("7", "1");
    assertThat(cell(operator, bad, "title")).contains("2 failed and 5 died");
    colourBy(operator, "Share of failures");
    assertThat(texts(operator, ".week table a")).containsExactlyInAnyOrder("19%", "1.1%");
    assertThat(operator.texts("ul.legend li"))
        .containsExactly("0", "≤ 1%", "≤ 5%", "≤ 20%", "> 20%");
    assertThat(level(operator, bad)).isEqualTo("3");
    follow(operator, bad);
    operator.sees("What happened?");
    assertThat(query(operator)).containsEntry("status", "FAILED,DEAD").containsEntry("by", "END");
    assertThat(operator.holds("Outcome")).isEqualTo("FAILED,DEAD");

    operator.open("/week?show=late&group=" + GROUP);
    assertThat(texts(operator, ".week table a")).containsExactlyInAnyOrder("4", "0.6", "0.024");
    follow(operator, bad);

    operator.sees("What ran when");
    assertThat(query(operator)).containsKeys("group", "from", "to");
  }

  /** WCAG asks for 4.5; axe does not see colours that are mixed. */
  @ParameterizedTest
  @CsvSource({
    "light, ended",
    "light, failures",
    "light, late",
    "dark, ended",
    "dark, failures",
    "dark, late"
  })
  void numbersAreReadableOnAllColours(
      String theme, String measure, Operator operator, ConsoleScene scene) {
    operator.open("/week?show=" + measure);
    operator.set("theme", theme);
    try {
      Map<?, ?> contrasts = (Map<?, ?>) Objects.requireNonNull(operator.script(CONTRASTS));
      assertThat(contrasts).hasSize(5);
      assertThat(contrasts.values())
          .allSatisfy(each -> assertThat(((Number) each).doubleValue()).isGreaterThan(4.5));
    } finally {
      operator.set("theme", "light");
    }
  }

  @Test
  void arrowKeysGoFromHourToHourAndEnterLeads(Operator operator, ConsoleScene scene) {
    operator.open("/week?group=" + GROUP);
    assertThat(
            operator.script("return document.querySelectorAll('.week a[tabindex=\"0\"]').length"))
        .as("stops for the Tab key")
        .isEqualTo(1L);
    operator.script("document.querySelector('.week a[tabindex=\"0\"]').focus()");
    String last = operator.focus();

    operator.press(Keys.ARROW_RIGHT);
    assertThat(operator.focus()).as("there is no later hour").isEqualTo(last);
    operator.press(Keys.ARROW_LEFT);
    assertThat(operator.focus()).contains("400 ended");
    operator.press(Keys.ARROW_LEFT);
    assertThat(operator.focus()).contains("37 ended");
    operator.press(Keys.ENTER);

    operator.sees("What happened?");
    assertThat(query(operator))
        .containsEntry(
            "from", thisHour.minus(DAY.multipliedBy(2)).toString().replace("Z", ".000Z"));
  }

  @Test
  void fourWeeksAreShownToo(Operator operator, ConsoleScene scene) {
    operator.open("/week?group=" + GROUP);
    assertThat(operator.texts(".week table thead th[scope=col]")).hasSize(7);

    operator.choose("Span of time", "28 d");
    operator.click("Search");
    operator.settle();

    assertThat(operator.texts(".week table thead th[scope=col]")).hasSize(28);
    assertThat(texts(operator, ".week table a")).containsExactlyInAnyOrder("400", "37", "91", "5");
    assertThat(cell(operator, thisHour.minus(DAY.multipliedBy(20)), "title"))
        .contains("5 ended", "at most 1 min late");
    assertThat(operator.script("return document.documentElement.scrollWidth <= innerWidth"))
        .as("the page itself is not wider than the window")
        .isEqualTo(true);
  }

  @Test
  void overviewLeadsToTheWeekOfAllAndAnUnusedGroupHasNone(Operator operator, ConsoleScene scene) {
    operator.open("/");
    operator.click("The week by hour");
    operator.sees("Which hours are busy");
    assertThat(operator.texts(".week table tbody tr")).hasSize(24);
    scene.console().database().stores().nodeGroups().ensure("idle-week", 100);

    operator.open("/week?group=idle-week");

    operator.sees("Nothing was counted in these days.");
    operator.open("/week?group=no-such-group");
    operator.sees("there is no node group no-such-group");
  }

  @Test
  void zoneThatIsChosenMovesTheHours(Operator operator, ConsoleScene scene) {
    operator.open("/week?group=" + GROUP);
    String utc = cell(operator, thisHour.minus(DAY), "title");

    assertThat(utc).contains(thisHour.toString().substring(11, 16) + "–");
    assertThat(Objects.requireNonNull(operator.texts(".as-of")).toString()).contains("UTC");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          UTC                 | 2 | 2026-11-29T12:30:00Z | 2026-11-28T00:10:00Z 2026-11-28T23:00:00Z | 37: 2026-11-28T23 1 in 23:00-00:00
          America/New_York    | 2 | 2026-11-02T12:30:00Z | 2026-11-01T05:00:00Z 2026-11-01T06:00:00Z 2026-11-01T07:00:00Z | 32: 2026-11-01T01 2 in 05:00-07:00, 2026-11-01T02 1 in 07:00-08:00
          America/New_York    | 1 | 2026-03-09T03:30:00Z | 2026-03-08T06:00:00Z 2026-03-08T07:00:00Z | 23: 2026-03-08T01 1 in 06:00-07:00, 2026-03-08T03 1 in 07:00-08:00
          Europe/Berlin       | 1 | 2026-10-25T22:30:00Z | 2026-10-25T00:00:00Z 2026-10-25T01:00:00Z | 24: 2026-10-25T02 2 in 00:00-02:00
          Asia/Kolkata        | 1 | 2026-11-29T12:30:00Z | 2026-11-28T18:00:00Z 2026-11-28T19:00:00Z 2026-11-29T04:00:00Z | 18: 2026-11-29T00 1 in 19:00-20:00, 2026-11-29T09 1 in 04:00-05:00
          """)
  void hoursAreThoseOfTheZoneAlsoWhereItsClocksChange(
      String zone, long days, String at, String points, String expected, Operator operator) {
    assertThat(
            String.valueOf(
                operator.browser().driver().executeAsyncScript(GRID, zone, days, at, points)))
        .isEqualTo(expected);
  }
}
