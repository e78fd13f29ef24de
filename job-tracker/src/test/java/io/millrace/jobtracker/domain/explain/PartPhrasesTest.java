package io.millrace.jobtracker.domain.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PartPhrasesTest {
  private static final FactPhrases ENGLISH = FactPhrases.of(Locale.ENGLISH, null);
  private static final FactPhrases CHINESE = FactPhrases.of(Locale.CHINESE, null);

  private static LedgerEntry cancelled(int number, long parts) {
    return new LedgerEntry(
        9,
        "orders",
        new TriggerCore(new PartKey(7, number).trigger(), 7, 0, 5_000, 0),
        LedgerStatus.CANCELLED,
        false,
        null,
        5_000,
        parts,
        new Times(5_000, 4_000, null, null, 5_003),
        null,
        null,
        new Origin(null, null, "client-1", null, null));
  }

  @Test
  void partIsNamedByItsNumberAndItsBatch() {
    assertThat(ENGLISH.trigger(new PartKey(7, 1_200).trigger(), 0))
        .isEqualTo("Part 1,200 of batch 7");
    assertThat(ENGLISH.ofTrigger(new PartKey(7, 2).trigger(), 0)).isEqualTo("part 2 of batch 7");
    assertThat(CHINESE.trigger(new PartKey(7, 2).trigger(), 0)).isEqualTo("批次 7 的第 2 个分片");
    assertThat(ENGLISH.trigger(TriggerKey.extra("a", 1_000, 2), 1_000)).startsWith("Extra run 2");
  }

  @Test
  void rowOfPartsThatWereNeverReleasedNamesTheFirstAndTheLast() {
    assertThat(ENGLISH.triggers(cancelled(257, 744))).isEqualTo("Parts 257 to 1,000 of batch 7");
    assertThat(ENGLISH.triggers(cancelled(257, 1))).isEqualTo("Part 257 of batch 7");
    assertThat(CHINESE.triggers(cancelled(257, 744))).isEqualTo("批次 7 的第 257 至 1,000 个分片");
  }
}
