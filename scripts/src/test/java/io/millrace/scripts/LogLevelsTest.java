package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What the log of a node does not repeat at every start. */
class LogLevelsTest {

  /** Read as files: settings for the tests of other modules may come before them on the path. */
  @ParameterizedTest
  @ValueSource(strings = {"/logback.xml", "/logback-file.xml"})
  void newerServerThanFlywayKnowsIsNotWarnedOf(String settings) throws Exception {
    Class<?> warning = Class.forName("org.flywaydb.core.internal.database.base.Database");

    assertThat(levelOf(warning.getName(), settings)).isEqualTo("ERROR");
    assertThat(levelOf("org.flywaydb.core.Flyway", settings)).isEqualTo("WARN");
  }

  /** The level of the longest name that the settings have of a logger or of what is above it. */
  private static String levelOf(String logger, String settings) throws Exception {
    try (InputStream text =
        Objects.requireNonNull(LogLevelsTest.class.getResourceAsStream(settings), settings)) {
      NodeList loggers =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(text)
              .getElementsByTagName("logger");
      return IntStream.range(0, loggers.getLength())
          .mapToObj(i -> (Element) loggers.item(i))
          .filter(each -> (logger + ".").startsWith(each.getAttribute("name") + "."))
          .max(Comparator.comparingInt(each -> each.getAttribute("name").length()))
          .orElseThrow()
          .getAttribute("level");
    }
  }
}
