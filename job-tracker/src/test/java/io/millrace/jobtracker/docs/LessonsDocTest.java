package io.millrace.jobtracker.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds docs/coming-from-lts.md against the tests it names. */
class LessonsDocTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+Test)(?:#(\\w+))?`");

  @Test
  void everyTestThatThePageNamesExists() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/coming-from-lts.md"));
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (Matcher test = NAMED.matcher(page); test.find(); named++) {
      String text = sourceOf(test.group(1));
      String method = test.group(2);
      if (text.isEmpty() || (method != null && !text.contains(" " + method + "("))) {
        missing.add(test.group());
      }
    }

    assertThat(named).isGreaterThan(30);
    assertThat(missing).isEmpty();
  }

  private static String sourceOf(String testClass) throws IOException {
    try (Stream<Path> files =
        Files.find(
            ROOT,
            20,
            (path, attributes) ->
                path.endsWith(testClass + ".java") && path.toString().contains("src/test/java"))) {
      List<Path> found = files.toList();
      return found.isEmpty() ? "" : Files.readString(found.get(0));
    }
  }
}
