package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What the console loads: from its own tracker alone, all of it with the first page, and not much.
 */
@InBrowser
class WeightTest {
  private static final long MOST_BYTES = 600_000;
  private static final long MOST_PACKED_BYTES = 210_000;

  /** Address and size of the page and of all that was loaded for it, the API's answers left out. */
  private static final String LOADED =
      """
      return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name }) => !name.includes('/api/v1/'))
        .map(({ name, encodedBodySize, decodedBodySize }) => ({
          name,
          packed: encodedBodySize,
          size: decodedBodySize,
        }));
      """;

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> loaded(Operator operator) {
    return (List<Map<String, Object>>) Objects.requireNonNull(operator.script(LOADED));
  }

  private static long size(Map<String, Object> file) {
    return number(file, "size");
  }

  private static long packedSize(Map<String, Object> file) {
    return number(file, "packed");
  }

  private static long number(Map<String, Object> file, String name) {
    return ((Number) Objects.requireNonNull(file.get(name))).longValue();
  }

  private static String name(Map<String, Object> file) {
    return String.valueOf(file.get("name"));
  }

  /** Waits until the modules of all pages are there. */
  private static List<Map<String, Object>> all(Operator operator) {
    return await("the modules of all pages")
        .until(
            () -> loaded(operator),
            files -> pages(operator).stream().allMatch(names(files)::contains));
  }

  private static Set<String> names(List<Map<String, Object>> files) {
    return files.stream().map(WeightTest::name).collect(Collectors.toSet());
  }

  /** The addresses of the modules of pages. */
  @SuppressWarnings("unchecked")
  private static List<String> pages(Operator operator) {
    return (List<String>)
        Objects.requireNonNull(
            operator.script(
                "return [...document.querySelectorAll('meta[name=page]')]"
                    + ".map(({ dataset }) => location.origin + dataset.href)"));
  }

  @Test
  void allIsLoadedFromTheOwnTracker(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.admin());
    operator.browser().devTools("Network.enable", Map.of());
    operator.browser().devTools("Network.setCacheDisabled", Map.of("cacheDisabled", true));
    operator.reload();
    String page = scene.url() + "/";
    List<Map<String, Object>> loaded = all(operator);

    assertThat(loaded).hasSizeGreaterThan(20).allMatch(file -> size(file) > 0);
    assertThat(loaded).allMatch(file -> name(file).startsWith(page));
    assertThat(loaded.stream().mapToLong(WeightTest::size).sum()).isLessThan(MOST_BYTES);
    assertThat(loaded.stream().mapToLong(WeightTest::packedSize).sum())
        .isBetween(50_000L, MOST_PACKED_BYTES);
    String index = String.valueOf(operator.fetched("/"));
    assertThat(loaded.stream().map(WeightTest::name).filter(name -> !name.equals(page)))
        .allMatch(name -> index.contains("\"" + name.substring(scene.url().length()) + "\""));
    operator.browser().devTools("Network.disable", Map.of());
  }

  @Test
  void nothingIsLoadedLaterButAnswers(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.admin());
    int before = all(operator).size();

    ConsolePages.of(scene).values().forEach(operator::open);

    assertThat(operator.heading()).isEqualTo("Tokens");
    assertThat(loaded(operator)).hasSize(before);
  }

  /** So that the first page is not drawn later than it must be. */
  @Test
  void otherPagesAreLoadedBehindTheDataOfTheFirst(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.admin());
    operator.open("/jobs");
    operator.reload();
    all(operator);

    assertThat(
            operator.script(
                """
                const begin = (part) =>
                  performance.getEntriesByType('resource').find(({ name }) => name.includes(part)).startTime;
                return begin('/api/v1/jobs?') <= begin('/pages/tokens.js') && begin('/pages/jobs.js') <= begin('/api/v1/jobs?');
                """))
        .isEqualTo(true);
  }
}
