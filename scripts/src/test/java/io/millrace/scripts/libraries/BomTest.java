package io.millrace.scripts.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of versions that applications import, and the names of the modules that it lists. */
class BomTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
  private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");
  private static final Pattern MODULE_NAME =
      Pattern.compile("<java\\.module\\.name>(io\\.millrace\\.[a-z.]+)</java\\.module\\.name>");

  /** A program, in the archive; nothing that an application depends on. */
  private static final Set<String> NO_LIBRARIES = Set.of("bom", "scripts");

  @Test
  void bomListsTheModulesThatArePublished() throws IOException {
    Set<String> published = new TreeSet<>();
    Set<String> moduleNames = new TreeSet<>();
    for (String module : all(MODULE, pom(""))) {
      String pom = pom(module);
      if (!NO_LIBRARIES.contains(module)
          && !pom.contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
        published.add(all(ARTIFACT, PARENT.matcher(pom).replaceFirst("")).get(0));
        assertThat(all(MODULE_NAME, pom)).as("name as a Java module of %s", module).hasSize(1);
        assertInherits(module, pom);
        moduleNames.addAll(all(MODULE_NAME, pom));
      }
    }
    String bom = pom("bom");
    String listed = bom.substring(bom.indexOf("<dependencyManagement>"), bom.indexOf("<build>"));

    assertThat(new TreeSet<>(all(ARTIFACT, listed))).isEqualTo(published);
    assertThat(moduleNames).hasSameSizeAs(published);
    assertThat(all(VERSION, listed)).containsOnly("${project.version}");
  }

  /** Licence, developers, address and repository are the parent's; the rest is its own. */
  private static void assertInherits(String module, String pom) {
    assertThat(PARENT.matcher(pom).results().map(MatchResult::group))
        .as("parent of %s", module)
        .singleElement()
        .asString()
        .contains("<artifactId>millrace-parent</artifactId>");
    assertThat(pom)
        .as(module)
        .contains("<name>", "<description>")
        .doesNotContain("<licenses>", "<developers>", "<scm>", "<url>");
  }

  @Test
  void bomHasTheVersionOfTheOthersAndNoParentWhoseVersionsItWouldImport() throws IOException {
    String bom = pom("bom");

    assertThat(bom).doesNotContain("<parent>");
    assertThat(all(VERSION, bom).get(0)).isEqualTo(all(VERSION, pom("")).get(0));
  }

  @Test
  void pomsSayWhatAPublicRepositoryAsksFor() throws IOException {
    for (String pom : List.of(pom(""), pom("bom"))) {
      assertThat(pom)
          .contains("<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm");
    }
  }

  private static String pom(String module) throws IOException {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
