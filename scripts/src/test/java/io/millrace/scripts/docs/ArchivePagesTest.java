package io.millrace.scripts.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages in the archive, by its descriptor, and the files that they link to. */
class ArchivePagesTest {
  private static final Path DESCRIPTOR = Path.of("src", "assembly", "distribution.xml");
  private static final Pattern FILE_SET = Pattern.compile("(?s)<fileSet>(.*?)</fileSet>");
  private static final Pattern DIRECTORY =
      Pattern.compile("<directory>\\$\\{project\\.basedir}(.*?)</directory>");
  private static final Pattern OUTPUT =
      Pattern.compile("<outputDirectory>(.*?)</outputDirectory>|<outputDirectory/>");
  private static final Pattern INCLUDE = Pattern.compile("<include>(.*?)</include>");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  /** The files of the repository, by their paths in the archive. */
  private static final Map<Path, Path> FILES = new HashMap<>();

  @BeforeAll
  static void readDescriptor() throws IOException {
    Matcher fileSet = FILE_SET.matcher(Files.readString(DESCRIPTOR));
    while (fileSet.find()) {
      addFiles(fileSet.group(1));
    }
  }

  @Test
  void archiveHasThePagesOfTheRepository() {
    assertThat(FILES.keySet().stream().map(Path::toString))
        .contains(
            "README.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "LICENSE",
            "SECURITY.md",
            "bin/millrace",
            "conf/tracker.properties",
            "docs/tutorial.md",
            "docs/console/overview-light-en.webp",
            "scripts/sql/README.md",
            "scripts/sql/h2/table-sizes.sql");
    assertThat(FILES.values()).allMatch(Files::isRegularFile);
  }

  @Test
  void linksLeadToFilesOfTheArchive() throws IOException {
    for (Map.Entry<Path, Path> file : FILES.entrySet()) {
      Path page = file.getKey();
      if (page.toString().endsWith(".md") && !page.endsWith("template.md")) {
        assertThat(linksOf(file.getValue()))
            .as(page.toString())
            .allMatch(link -> leadsToFile(page, link));
      }
    }
  }

  private static void addFiles(String fileSet) throws IOException {
    Path from = Path.of("." + first(DIRECTORY, fileSet));
    Path to = Path.of(first(OUTPUT, fileSet));
    List<String> names = INCLUDE.matcher(fileSet).results().map(name -> name.group(1)).toList();
    List<Path> files =
        names.isEmpty() ? filesBelow(from) : names.stream().map(from::resolve).toList();
    files.forEach(file -> FILES.put(to.resolve(from.relativize(file)), file));
  }

  private static List<Path> filesBelow(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Returns what the pattern's group matches first, or "" if the group takes no part. */
  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    String group = matcher.group(1);
    return group == null ? "" : group;
  }

  private static List<String> linksOf(Path page) throws IOException {
    return LINK.matcher(Files.readString(page))
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.startsWith("https://"))
        .toList();
  }

  private static boolean leadsToFile(Path page, String link) {
    String target = link.split("#", 2)[0];
    Path path = page.resolveSibling(target).normalize();
    return target.isEmpty() || FILES.keySet().stream().anyMatch(file -> file.startsWith(path));
  }
}
