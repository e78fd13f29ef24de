package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Searches that suggest what there is, and that a browser remembers. */
@InBrowser
class SearchesByHandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  @SuppressWarnings("unchecked")
  private static void suggests(Operator operator, String field, String... names) {
    await(field)
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        (List<String>)
                            Objects.requireNonNull(
                                operator.script(
                                    "return [...document.getElementById(arguments[0]).list.options]"
                                        + ".map((option) => option.value)",
                                    field)))
                    .contains(names));
  }

  @Test
  void fieldsSuggestGroupsWorkersHandlersAndJobs(Operator operator, ConsoleScene scene) {
    operator.open("/jobs");
    operator.type("Node group", "rep");
    suggests(operator, "group", "billing", "orders", "reports");
    operator.type("Handler", "r");
    suggests(operator, "handler", "import", "render");
    operator.type("Node group", "reports");
    operator.type("Name contains", "daily");
    suggests(operator, "contains", "daily-sales");
    assertThat(operator.script("return document.getElementById('contains').list.options.length"))
        .isEqualTo(1L);

    operator.open("/history");
    operator.type("Worker", "o");
    suggests(operator, "worker", "orders-1");
  }

  @Test
  void searchIsSavedFoundAgainAndForgotten(Operator operator, ConsoleScene scene) {
    operator.open("/jobs?group=reports");
    operator.click("Save this search");
    operator.isAsked("Save this search?");
    operator.type("Name of the search", "<b>our</b> reports");
    operator.click("Save the search");

    operator.open("/dead");
    assertThat(operator.texts(".saved")).isEmpty();
    operator.open("/jobs");
    operator.reload();
    operator.click("<b>our</b> reports");
    operator.settle();
    assertThat(operator.address()).endsWith("/#/jobs?group=reports");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.click("Forget the search <b>our</b> reports");

    assertThat(operator.canClick("<b>our</b> reports")).isFalse();
    operator.reload();
    assertThat(operator.canClick("<b>our</b> reports")).isFalse();
  }
}
