package io.millrace.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.config.PropertiesText.Entry;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PropertiesTextTest {

  @Test
  void entriesAreToldWithTheLineTheyBeginIn() {
    PropertiesText text =
        PropertiesText.read("# head\n\na = 1\nb = 2, \\\n    3\n! comment \\\nc: 4\n d 5");

    assertThat(text.entries())
        .containsExactly(
            new Entry("a", "1", 3),
            new Entry("b", "2, 3", 4),
            new Entry("c", "4", 7),
            new Entry("d", "5", 8));
  }

  @Test
  void duplicatesAreKept() {
    assertThat(PropertiesText.read("a=1\na=2").entries())
        .containsExactly(new Entry("a", "1", 1), new Entry("a", "2", 2));
  }

  @Test
  void twoBackslashesDoNotContinueTheLine() {
    assertThat(PropertiesText.read("a=C:\\\\\nb=1").entries())
        .containsExactly(new Entry("a", "C:\\", 1), new Entry("b", "1", 2));
  }

  @Test
  void valueWithoutAKeyIsAProblem() {
    assertThat(PropertiesText.read("a=1\n= 2").problems())
        .containsExactly(new Problem(2, "a value has no key"));
  }

  @Property(tries = 3000)
  void agreesWithTheJdkAboutEveryKeyAndValue(@ForAll("propertiesLike") String text)
      throws IOException {
    Properties expected = new Properties();
    expected.load(new StringReader(text));
    Map<String, String> stripped = new HashMap<>();
    expected.stringPropertyNames().stream()
        .filter(key -> !key.isEmpty())
        .forEach(key -> stripped.put(key, expected.getProperty(key).strip()));

    Map<String, String> actual = new HashMap<>();
    PropertiesText.read(text).entries().forEach(entry -> actual.put(entry.key(), entry.value()));

    assertThat(actual).isEqualTo(stripped);
  }

  @Provide
  Arbitrary<String> propertiesLike() {
    List<String> pieces =
        List.of(
            "a", "b", "key", "=", ":", " ", "\t", "\\", "\\\\", "\n", "\r\n", "\r", "#", "!",
            "\\u0041", "\f", "\\n", "é");
    return Arbitraries.of(pieces).list().ofMaxSize(25).map(parts -> String.join("", parts));
  }
}
