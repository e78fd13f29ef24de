package io.millrace.jobtracker.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link from one page of the repository to another leads somewhere. */
class DocLinksTest {
  private static final Path ROOT = Path.of("..");
  private static final List<Path> FOLDERS = List.of(Path.of("docs"), Path.of("scripts", "sql"));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

  @Test
  void linksBetweenPagesLeadSomewhere() throws IOException {
    List<Path> pages = pages();

    assertThat(pages).contains(ROOT.resolve("README.md"));
    assertThat(pages.stream().flatMap(page -> brokenLinks(page).stream())).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(ROOT)) {
      Stream<Path> below = FOLDERS.stream().flatMap(DocLinksTest::filesBelow);
      return Stream.concat(top, below)
          .filter(file -> file.toString().endsWith(".md") && !file.endsWith("template.md"))
          .toList();
    }
  }

  private static Stream<Path> filesBelow(Path folder) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> brokenLinks(Path page) {
    return LINK.matcher(read(page))
        .results()
        .map((MatchResult link) -> link.group(1))
        .filter(link -> !link.startsWith("https://") && !leadsSomewhere(page, link))
        .map(link -> page + " -> " + link)
        .toList();
  }

  private static boolean leadsSomewhere(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
    return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
  }

  private static Set<String> anchors(Path page) {
    return HEADING
        .matcher(read(page))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(page.toString(), e);
    }
  }
}
