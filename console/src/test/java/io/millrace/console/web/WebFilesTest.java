package io.millrace.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.console.http.StaticFile;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages as they are served: complete, small, and content with this one host. */
class WebFilesTest {
  private static final String OWN = "/io/millrace/console/web/";

  private static List<StaticFile> files(Map<String, String> classPath) {
    return new WebFiles(
            name -> {
              String text = classPath.get(name);
              return text == null
                  ? null
                  : new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            })
        .read();
  }

  /** The directory in which the files are served. */
  private static String below(List<StaticFile> files) {
    String path = files.get(1).path();
    return path.substring(0, path.indexOf('/', "/console/".length()) + 1);
  }

  private static String directory(Map<String, String> classPath) {
    return below(files(classPath));
  }

  @Test
  void filesAreInADirectoryThatChangesWithEachOfThem() {
    String page =
        "<link href=\"/console/a.css\"><script src='/console/b.js'></script>"
            + "<link href=\"/console/icon.svg\">";
    Map<String, String> first =
        Map.of(
            OWN + "index.html",
            page,
            OWN + "a.css",
            "url(/console/icon.svg)",
            OWN + "b.js",
            "import '/console/lib/c.js'",
            OWN + "icon.svg",
            "<svg/>");
    Map<String, String> second = new HashMap<>(first);
    second.put(OWN + "icon.svg", "<svg />");
    List<StaticFile> files = files(first);
    String below = below(files);

    assertThat(below).matches("/console/[0-9a-f]{16}/").isEqualTo(directory(first));
    assertThat(directory(second)).isNotEqualTo(below);
    assertThat(files).extracting(StaticFile::isForEver).containsExactly(false, true, true, true);
    assertThat(files.get(0).text()).isEqualTo(page.replace("/console/", below));
    assertThat(files.get(1).text()).isEqualTo("url(" + below + "icon.svg)");
    assertThat(files.get(2).text()).isEqualTo("import '" + below + "lib/c.js'");
  }

  @Test
  void whatThePageNamesIsServedAndNothingElse() {
    List<StaticFile> files =
        files(
            Map.of(
                OWN + "index.html",
                "<link href=\"/console/a.css\"><script src='/console/pages/b.js'></script>"
                    + "<a href=\"#/jobs\">, <a href=\"/console/a.css\">",
                OWN + "a.css",
                "a",
                OWN + "pages/b.js",
                "b",
                OWN + "c.js",
                "c"));
    assertThat(files)
        .extracting(StaticFile::path)
        .containsExactly("/", below(files) + "a.css", below(files) + "pages/b.js");
    assertThat(files)
        .extracting(StaticFile::mediaType)
        .containsExactly(
            "text/html; charset=utf-8",
            "text/css; charset=utf-8",
            "text/javascript; charset=utf-8");
    assertThat(files.get(1).plain().etag())
        .isEqualTo("\"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\"");
  }

  @Test
  void librariesComeInTheVersionOfTheirArchive() {
    List<StaticFile> files =
        files(
            Map.of(
                OWN + "index.html",
                "<link href=\"/console/lib/lit-html/directives/live.js\">"
                    + "<script src=\"/console/lib/uplot/dist/uPlot.iife.min.js\">",
                "/META-INF/maven/org.webjars.npm/lit-html/pom.properties",
                "version=7.8.9\n",
                "/META-INF/resources/webjars/lit-html/7.8.9/directives/live.js",
                "live",
                "/META-INF/maven/org.webjars.npm/uplot/pom.properties",
                "version=1.2.3\n",
                "/META-INF/resources/webjars/uplot/1.2.3/dist/uPlot.iife.min.js",
                "chart"));
    assertThat(files).extracting(StaticFile::text).contains("live", "chart");
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    assertThatThrownBy(() -> files(Map.of(OWN + "index.html", "<script src=\"/console/gone.js\">")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("/console/gone.js, which index.html names, is not on the class path");
    assertThatThrownBy(() -> files(Map.of())).hasMessageContaining("index.html");
    assertThatThrownBy(
            () -> files(Map.of(OWN + "index.html", "<link href=\"/console/lib/none/a.js\">")))
        .hasMessageContaining("the WebJar of none");
  }

  @Test
  void whatIsNoPlainNameIsRefused() {
    assertThatThrownBy(
            () -> files(Map.of(OWN + "index.html", "<link href=\"/console/../../a.css\">")))
        .hasMessageContaining("../../a.css, which index.html names, is not a plain file name");
    assertThatThrownBy(
            () ->
                files(
                    Map.of(
                        OWN + "index.html", "<link href=\"/console/a.exe\">", OWN + "a.exe", "a")))
        .hasMessageContaining("a.exe has an unsupported file type");
  }

  /** A browser loads one language. */
  @ParameterizedTest
  @ValueSource(strings = {"en", "zh"})
  void thePagesWeighLessThanSixHundredKilobytes(String language) {
    List<StaticFile> files =
        WebFiles.ofClassPath().stream()
            .filter(
                file ->
                    !file.path().contains("/core/words.")
                        || file.path().endsWith("/core/words.js")
                        || file.path().contains("/core/words." + language + "."))
            .toList();
    assertThat(files).hasSize(WebFiles.ofClassPath().size() - 2);
    assertThat(files.stream().mapToInt(file -> file.plain().size()).sum())
        .as("bytes, not compressed")
        .isLessThan(600_000);
    assertThat(files.stream().mapToInt(file -> Objects.requireNonNull(file.packed()).size()).sum())
        .as("bytes, compressed")
        .isLessThan(210_000);
  }

  @Test
  void noFileOfOursNamesAnotherHost() {
    assertThat(WebFiles.ofClassPath())
        .filteredOn(file -> !file.path().contains("/lib/"))
        .isNotEmpty()
        .allSatisfy(
            file ->
                assertThat(PageText.withoutComments(file.text()))
                    .as(file.path())
                    .doesNotContain("http://", "https://"));
  }

  /** So that what each page needs is there after one round of requests. */
  @Test
  void whateverAModuleImportsIsNamedByThePage() {
    List<StaticFile> files = WebFiles.ofClassPath();
    Set<String> served = files.stream().map(StaticFile::path).collect(Collectors.toSet());
    Set<String> preloaded = PageText.modules(files.get(0).text());
    assertThat(preloaded).isNotEmpty();
    for (StaticFile file : files) {
      assertThat(served)
          .as("what %s imports", file.path())
          .containsAll(PageText.imports(file.path(), file.text()))
          .containsAll(PageText.laterImports(file.path(), file.text()));
      if (preloaded.contains(file.path())) {
        assertThat(preloaded)
            .as("the modules that the page names have all that %s imports", file.path())
            .containsAll(PageText.imports(file.path(), file.text()));
      }
      if (file.path().endsWith(".css")) {
        assertThat(file.text()).as(file.path()).doesNotContain("@import");
      }
    }
  }

  @Test
  void commentsAndNamesOfXmlAreNotHosts() {
    assertThat(
            PageText.withoutComments(
                """
                <!-- https://a.example
                --><svg xmlns="http://www.w3.org/2000/svg">
                /* http://b.example */
                  // https://c.example
                fetch('https://d.example') // as it is
                """))
        .doesNotContain("a.example", "b.example", "c.example", "w3.org")
        .contains("https://d.example");
  }

  @Test
  void importsOfAllFormsAreFound() {
    assertThat(
            PageText.imports(
                "/console/pages/a.js",
                """
                import './b.js';
                import * as c from "../c.js";
                import {
                  d,
                  e as f,
                } from '/console/d.js';
                export { g } from './sub/g.js';
                const later = () => import('./h.js');
                import{i as j}from"../i.js";import k,{l}from"./k.js";
                const text = 'imported from there';
                """))
        .containsExactlyInAnyOrder(
            "/console/pages/b.js",
            "/console/c.js",
            "/console/d.js",
            "/console/pages/sub/g.js",
            "/console/i.js",
            "/console/pages/k.js");
    assertThat(
            PageText.laterImports(
                "/console/pages/a.js",
                """
                import './b.js';
                const later = () => import('./h.js');
                """))
        .containsExactly("/console/pages/h.js");
    assertThat(
            PageText.modules(
                """
                <link rel="modulepreload" href="/console/a.js">
                <link href="/console/b.js" rel="modulepreload">
                <script type="module" src="/console/c.js"></script>
                <script src="/console/d.js" defer></script>
                <link rel="stylesheet" href="/console/e.css">
                """))
        .containsExactlyInAnyOrder("/console/a.js", "/console/b.js", "/console/c.js");
  }
}
