package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Each page in light and dark, English and Chinese: what it shows is in words, nobody is shut out,
 * and a picture of it is taken. With {@code -Dscreenshots.write=true} the pictures of
 * docs/operating.md are written anew.
 */
@InBrowser
class PicturesTest {
  static final List<String> PAGES = ConsolePages.IN_PICTURES;

  private static final boolean WRITES_DOCS = Boolean.getBoolean("screenshots.write");
  private static final Path LOOKED_AT = Path.of("target", "screenshots");
  private static final Path DOCS = Path.of("..", "docs", "console");

  private static ConsoleScene scene;
  private static Map<String, String> pages;

  @BeforeAll
  static void play() {
    scene = ConsoleScene.open();
    pages = ConsolePages.of(scene);
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @BeforeEach
  void signIn(Operator operator) {
    if (!operator.isAt(scene.url())) {
      operator.visit(scene.url());
      operator.signIn(scene.admin());
    }
  }

  @ParameterizedTest
  @FieldSource("PAGES")
  void pageIsInWordsAndOpenToAll(String name, Operator operator) {
    operator.open(String.valueOf(pages.get(name)));
    assertThat(look(name, operator)).as(name).isEmpty();
  }

  @Test
  void pageToSignInIsInWordsAndOpenToAll(Operator operator) {
    operator.visit(scene.url());
    assertThat(look("sign-in", operator)).isEmpty();
  }

  @Test
  void dialogsAreInWordsAndOpenToAll(Operator operator) {
    operator.open("/jobs?group=reports");
    assertThat(look("dialog", operator, () -> ConsoleDialogs.question(operator))).isEmpty();
    operator.click("Back");
  }

  private List<Object> look(String name, Operator operator) {
    return look(name, operator, () -> {});
  }

  /**
   * @param first what is done each time before it is looked at
   */
  private List<Object> look(String name, Operator operator, Runnable first) {
    List<Object> faults = new ArrayList<>();
    operator.browser().putMouseAside();
    for (String theme : List.of("light", "dark")) {
      operator.set("theme", theme);
      for (String language : List.of("zh", "en")) {
        operator.set("language", language);
        first.run();
        operator.settle();
        String view = name + "-" + theme + "-" + language;
        assertThat(operator.html()).as("words of %s", view).doesNotContain("⟦");
        assertThat(operator.script("return document.documentElement.lang"))
            .as("language of %s", view)
            .isEqualTo(language.equals("zh") ? "zh-CN" : "en");
        take(view, operator.browser());
      }
      List<?> barriers =
          theme.equals("light")
              ? Accessibility.barriers(operator)
              : Accessibility.faintWords(operator);
      barriers.forEach(barrier -> faults.add(theme + " " + barrier));
    }
    operator.browser().picture(LOOKED_AT.resolve("whole").resolve(name + ".png"), Picture.WHOLE);
    operator.set("theme", "light");
    return faults;
  }

  private static void take(String view, Chromium browser) {
    browser.picture(LOOKED_AT.resolve(view + ".png"), Picture.WINDOW);
    if (WRITES_DOCS) {
      browser.picture(DOCS.resolve(view + ".webp"), Picture.WINDOW);
    }
  }
}
