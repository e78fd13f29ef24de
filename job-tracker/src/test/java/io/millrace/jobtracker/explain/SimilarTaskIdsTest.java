package io.millrace.jobtracker.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimilarTaskIdsTest {
  @Test
  void slipsOfTheKeyboardAreFoundNearestFirst() {
    assertThat(
            SimilarTaskIds.to(
                "report-daily",
                List.of("report-dialy", "Report-Daily", "report-daly2", "reprot-dialy", "cleanup")))
        .containsExactly("Report-Daily", "report-dialy", "report-daly2", "reprot-dialy");
  }

  @Test
  void differentWordsAreNotSimilar() {
    assertThat(SimilarTaskIds.to("poll", List.of("mail", "import", "bill", "pull", "polls")))
        .containsExactly("polls", "pull");
  }

  @Test
  void beginningOfATaskIdFindsThoseThatBeginSo() {
    assertThat(SimilarTaskIds.to("close", List.of("close:1042", "close:7", "open:7")))
        .containsExactly("close:7", "close:1042");
    assertThat(SimilarTaskIds.to("cl", List.of("close:7"))).as("too short").isEmpty();
  }

  @Test
  void thereAreFiveAtMost() {
    List<String> many = IntStream.range(0, 1_000).mapToObj(i -> "task-" + i).toList();

    assertThat(SimilarTaskIds.to("task-", many))
        .containsExactly("task-0", "task-1", "task-2", "task-3", "task-4");
    assertThat(SimilarTaskIds.to("task-", List.of())).isEmpty();
  }

  @Test
  void longestTaskIdsAreCompared() {
    String longest = "x".repeat(128);

    assertThat(SimilarTaskIds.to(longest, List.of("y".repeat(128), "x".repeat(127) + "y")))
        .containsExactly("x".repeat(127) + "y");
  }
}
