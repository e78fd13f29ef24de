package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.console.api.fleet.WorkerRoutes.WorkerPage;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
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

  private static void suggests(Operator operator, String field, String... names) {
    await(field)
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(options(operator, field)).contains(names));
  }

  @SuppressWarnings("unchecked")
  private static List<String> options(Operator operator, String field) {
    return (List<String>)
        Objects.requireNonNull(
            operator.script(
                "return [...document.getElementById(arguments[0]).list.options]"
                    + ".map((option) => option.value)",
                field));
  }

  @Test
  void fieldsSuggestGroupsWorkersHandlersAndJobs(Operator operator, ConsoleScene scene) {
    operator.open("/jobs");
    operator.type("Node group", "rep");
    suggests(operator, "group", "reports");
    assertThat(options(operator, "group")).doesNotContain("billing", "orders");
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
  void formOfAJobSuggestsGroupsHandlersAndLabels(Operator operator, ConsoleScene scene) {
    try (TaskTracker worker =
        TaskTracker.builder()
            .trackers(scene.console().tracker().address())
            .nodeGroup("labelled")
            .labels("gpu", "eu-west")
            .runner(context -> Result.success())
            .build()) {
      worker.start();
      await("worker")
          .atMost(PATIENCE)
          .until(
              () -> scene.get("/workers?group=labelled", WorkerPage.class).items(),
              workers -> !workers.isEmpty());
      operator.open("/submit");
      operator.type("Node group", "labelled");
      suggests(operator, "nodeGroup", "labelled");
      operator.type("Handler", "r");
      suggests(operator, "handler", "render");
      operator.type("Reduce", "r");
      suggests(operator, "reduce", "render");
      operator.type("Labels", "g");
      suggests(operator, "on", "gpu", "eu-west");

      operator.type("Labels", "gpu e");
      suggests(operator, "on", "gpu eu-west");
      assertThat(options(operator, "on")).containsExactly("gpu eu-west");
      operator.type("Labels", "gpu eu-west");
      assertThat(operator.holds("Labels")).isEqualTo("gpu eu-west");
    }
  }

  @Test
  void searchThatFailsShowsItselfAndNoRowsOfAnother(Operator operator, ConsoleScene scene) {
    operator.open("/jobs?group=reports");
    operator.sees("weekly-summary");
    operator.type("Node group", "dem");
    operator.click("Search");
    operator.sees("there is no node group dem");
    assertThat(operator.texts("tbody tr")).isEmpty();
    assertThat(operator.holds("Node group")).isEqualTo("dem");
    operator.type("Node group", "reports");
    operator.click("Search");
    operator.sees("weekly-summary");
    assertThat(operator.text()).doesNotContain("there is no node group");

    for (String page : List.of("/waiting", "/jobs")) {
      operator.open(page + "?group=dem");
      operator.sees("there is no node group dem");
      assertThat(operator.holds("Node group")).as(page).isEqualTo("dem");
      assertThat(operator.texts("tbody tr")).isEmpty();
    }
  }

  /** Pages whose forms are alike. */
  @Test
  void whatIsTypedIsNotForTheSearchOfAnotherPage(Operator operator, ConsoleScene scene) {
    operator.open("/workers");
    operator.type("Node group", "typed-here");
    operator.open("/batches");

    assertThat(operator.heading()).isEqualTo("Split runs");
    assertThat(operator.holds("Node group")).isEmpty();
  }

  @Test
  void nodeGroupsAndWorkersAreFoundByAPartOfTheirName(Operator operator, ConsoleScene scene) {
    for (String page : List.of("/groups", "/workers")) {
      operator.open(page);
      operator.sees("orders");
      operator.type("Name contains", "REPOR");
      operator.click("Search");

      operator.seesNoMore("orders");
      operator.sees("reports");
      operator.type("Name contains", "no-such-name");
      operator.click("Search");
      operator.sees("No name contains this.");
    }
  }

  @Test
  void nodeGroupsWithTheLargestBacklogsComeFirst(Operator operator, ConsoleScene scene) {
    operator.open("/groups");
    operator.sees("mail");
    operator.choose("Order", "largest backlog first");
    operator.click("Search");
    operator.settle();

    assertThat(operator.texts("tbody tr").get(0)).startsWith("mail");
    assertThat(operator.address()).endsWith("order=BACKLOG");
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
