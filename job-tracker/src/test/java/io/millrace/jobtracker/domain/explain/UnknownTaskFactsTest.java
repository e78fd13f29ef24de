package io.millrace.jobtracker.domain.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.snapshot.UnknownTask;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnknownTaskFactsTest {
  private static List<String> texts(UnknownTask absence) {
    List<Fact> facts = SampleFindings.WRITER.write(absence, Locale.ENGLISH, null);
    assertThat(facts).allMatch(fact -> fact.kind() == FactKind.NOT_FOUND);
    return facts.stream().map(Fact::text).toList();
  }

  @Test
  void unknownTaskIdAfterTheWholeLedgerWasSearched() {
    assertThat(
            texts(new UnknownTask("orders", "a", true, List.of("orders"), List.of(), 12_000, null)))
        .containsExactly(
            "No job 'a' of node group orders is waiting or running, and the ledger has none.");
  }

  @Test
  void unknownTaskIdAfterAPartOfTheLedgerWasSearched() {
    assertThat(
            texts(
                new UnknownTask(
                    "orders",
                    "a",
                    true,
                    List.of("orders"),
                    List.of(),
                    100_000,
                    SampleFindings.at("03:00:00"))))
        .containsExactly(
            "No job 'a' of node group orders is waiting or running, and the newest 100,000"
                + " rows of the ledger, back to 2026-03-02T03:00:00Z, have none. A one-shot that"
                + " ended before that is not found this way.");
  }

  @Test
  void jobOfAnotherNodeGroup() {
    assertThat(
            texts(
                new UnknownTask(
                    "orders", "a", true, List.of("mails", "orders"), List.of("mails"), 0, null)))
        .contains("A live job of this task id exists in another node group: mails.");
  }

  @Test
  void unknownNodeGroup() {
    List<String> groups = IntStream.range(10, 22).mapToObj(i -> "group-" + i).toList();

    assertThat(texts(new UnknownTask("order", "a", false, groups, List.of(), 0, null)))
        .containsExactly(
            "There is no node group 'order': no job was ever submitted to it, and no worker"
                + " of it has ever connected. Node groups: group-10, group-11, group-12, group-13,"
                + " group-14, group-15, group-16, group-17, group-18, group-19 and 2 more.");
    assertThat(texts(new UnknownTask("order", "a", false, List.of(), List.of(), 0, null)))
        .containsExactly(
            "There is no node group 'order': no job was ever submitted to it, and no worker"
                + " of it has ever connected. There is no node group yet.");
  }
}
