package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The catalogues of the console's words say the same things. */
@InBrowser
class WordsTest {
  /** Each key with the {names} in its text, of all forms of its plural; sorted. */
  private static final String KEYS_AND_PLACES =
      """
      const [file, name, done] = arguments;
      const places = (text) => [...new Set(text.match(/\\{\\w+\\}/g) ?? [])].sort().join(' ');
      const forms = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry));
      import(watch.base() + file).then(
        (module) => done(Object.entries(module[name])
          .map(([key, entry]) => `${key} ${places(forms(entry).join(' '))}`.trim()).sort()),
        (failure) => done([String(failure)]));
      """;

  private static List<?> catalogue(Operator operator, String file, String name) {
    return (List<?>)
        Objects.requireNonNull(
            operator.browser().driver().executeAsyncScript(KEYS_AND_PLACES, file, name));
  }

  @Test
  void bothLanguagesHaveTheSameKeysAndPlaces(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());

    List<?> english = catalogue(operator, "core/words.en.js", "words");

    assertThat(english).hasSizeGreaterThan(300);
    assertThat(catalogue(operator, "core/words.zh.js", "words")).isEqualTo(english);
  }

  @Test
  void pagesOfTheDeadAreInChineseAltogether(Operator operator, ConsoleScene scene) {
    String id = scene.die("chinese:1", "磁盘已满");
    String zone =
        String.valueOf(operator.script("return Intl.DateTimeFormat().resolvedOptions().timeZone"));
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.set("language", "zh");

    operator.open("/dead?taskId=chinese%3A");
    operator.seesInRow("chinese:1", "尝试次数已用尽");
    String names = "chinese:1|billing|java\\.lang\\.IllegalStateException|" + zone;
    assertThat(String.join(" ", operator.texts("main")).replaceAll(names, ""))
        .contains("磁盘已满")
        .doesNotContainPattern("[A-Za-z]");
    for (String page : List.of("/dead/" + id, "/executions/" + id, "/history")) {
      operator.open(page);
      operator.seesIn("main", "尝试次数已用尽");
      assertThat(operator.text()).doesNotContain("attempts used up");
    }
    operator.open("/executions/" + id);
    operator.set("language", "en");

    operator.seesIn("main", "attempts used up");
  }

  @Test
  void refusalsHaveALeadInChinese(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.set("language", "zh");
    operator.open("/jobs?group=dem");
    operator.sees("未找到：there is no node group dem");

    operator.open("/submit");
    operator.type("Cron 表达式", "0 0 25 * * ?");
    operator.seesIn(".beside .problem", "cron 表达式无效：");
    operator.set("language", "en");
    operator.seesIn(".beside .problem", "25");
    assertThat(operator.text()).doesNotContain("无效");
  }

  private static List<?> unitsOfCharts(Operator operator) {
    return (List<?>)
        Objects.requireNonNull(
            operator.script(
                "return [...document.querySelectorAll('millrace-chart .unit')]"
                    + ".map(({ textContent }) => textContent)"));
  }

  @Test
  void chartsSpeakTheLanguageToo(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    assertThat(unitsOfCharts(operator).toString()).isEqualTo("[per minute, ms]");

    operator.click("Display");
    operator.choose("Language", "中文");
    operator.settle();

    assertThat(unitsOfCharts(operator).toString()).isEqualTo("[每 1 分钟, 毫秒]");
    operator.set("language", "en");
  }

  @Test
  void languageIsChosenAndKept(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());

    operator.click("Display");
    operator.choose("Language", "中文");
    operator.settle();
    assertThat(operator.script("return document.documentElement.lang")).isEqualTo("zh-CN");
    assertThat(operator.canClick("Sign out")).isFalse();
    operator.reload();

    assertThat(operator.script("return document.documentElement.lang")).isEqualTo("zh-CN");
    operator.set("language", "en");
    operator.sees("Sign out");
  }

  /** What the tracker has said in words is asked for again; what was typed stays. */
  @Test
  void aFormSpeaksTheLanguageThatIsChosenMeanwhile(Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("orders", "spoken").cron("0 0 6 * * ?").build());
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.open("/jobs/orders/spoken/edit");
    operator.sees("at 06:00, every day");
    operator.type("Handler", "typed-before");

    operator.click("Display");
    operator.choose("Language", "中文");

    operator.seesNoMore("at 06:00, every day");
    operator.sees("每天");
    assertThat(operator.text()).doesNotContain("Edit as a table");
    assertThat(operator.holds("处理器")).isEqualTo("typed-before");
    operator.set("language", "en");
    operator.sees("at 06:00, every day");
    operator.sees("Edit as a table");
  }
}
