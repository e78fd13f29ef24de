package io.millrace.console.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * Judges a page by the rules of axe-core: whether it can be used without seeing it, or without a
 * mouse.
 */
final class Accessibility {
  private static final String ABOUT = "/META-INF/maven/org.webjars.npm/axe-core/pom.properties";
  private static final String RULES = rules();

  /** Rules that are not judged by unless they are asked for. */
  private static final Map<String, ?> ALSO =
      Map.of("rules", Map.of("label-content-name-mismatch", Map.of("enabled", true)));

  /**
   * A line for each element that breaks a rule in a way that excludes people. Colours that change
   * are judged when they have changed.
   */
  private static final String JUDGE =
      """
      const [rules, done] = arguments;
      const changes = document.getAnimations().map((animation) => animation.finished);
      Promise.allSettled(changes)
        .then(() => axe.run(document, { resultTypes: ['violations'], ...rules }))
        .then(
        ({ violations }) => done(violations
          .filter(({ id, impact }) =>
            impact === 'serious' || impact === 'critical' || id === 'empty-table-header')
          .flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
            `${id}: ${html} ${[...any, ...all, ...none].map(({ message }) => message).join('; ')}`))),
        (failure) => done([String(failure)]));
      """;

  private Accessibility() {}

  private static String rules() {
    Properties about = new Properties();
    try (InputStream properties = Accessibility.class.getResourceAsStream(ABOUT)) {
      about.load(Objects.requireNonNull(properties, ABOUT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String file =
        "/META-INF/resources/webjars/axe-core/" + about.getProperty("version") + "/axe.min.js";
    return Chromium.text(Accessibility.class.getResource(file), file);
  }

  /** What is wrong with the page as it stands, one line for each element. */
  static List<?> barriers(Operator operator) {
    return judged(operator, ALSO);
  }

  /** What is hard to read for its colours. */
  static List<?> faintWords(Operator operator) {
    return judged(operator, Map.of("runOnly", List.of("color-contrast")));
  }

  private static List<?> judged(Operator operator, Map<String, ?> rules) {
    operator.script("if (!window.axe) { " + RULES + "\n window.axe = axe; }");
    return (List<?>)
        Objects.requireNonNull(operator.browser().driver().executeAsyncScript(JUDGE, rules));
  }
}
