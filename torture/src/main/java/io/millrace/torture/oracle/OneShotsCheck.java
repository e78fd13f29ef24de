package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Step.Kind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks that every acknowledged submit of a one-shot job created one trigger, and every submit
 * without a result at most one; replays are none. Other checks verify that each trigger ends once.
 */
final class OneShotsCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<String, List<LedgerEntry>> ledger = records.ledgerByJob();
    Map<String, List<LiveRow>> live = records.liveByJob();
    Origins origins = records.origins();
    records
        .callsByJob()
        .forEach(
            (key, calls) -> {
              LoadJob job = records.stepOf(calls.get(0)).job();
              if (!job.timing().isRecurring()) {
                Set<Long> stored =
                    Stream.concat(
                            ledger.getOrDefault(key, List.of()).stream().map(LedgerEntry::trigger),
                            live.getOrDefault(key, List.of()).stream().map(LiveRow::trigger))
                        .filter(trigger -> !origins.isReplay(trigger))
                        .map(LedgerEntry.Trigger::jobId)
                        .collect(Collectors.toSet());
                compare(key, submits(records, calls), stored, findings);
              }
            });
  }

  private static List<Call> submits(Records records, List<Call> calls) {
    return calls.stream()
        .filter(call -> Set.of(Kind.SUBMIT, Kind.REPLACE).contains(records.stepOf(call).kind()))
        .toList();
  }

  private static void compare(String key, List<Call> submits, Set<Long> stored, Findings findings) {
    Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
    submits.forEach(call -> answers.merge(call.answer(), 1, Integer::sum));
    int acknowledged = count(answers, Answer.ACCEPTED) + count(answers, Answer.REPLACED);
    int saved = count(answers, Answer.SAVED_LOCALLY);
    boolean isPromised = saved + count(answers, Answer.DUPLICATE) > 0;
    if (stored.size() < Math.max(acknowledged, isPromised ? 1 : 0)) {
      findings.broken(
          Promise.LOST,
          "%s was answered %s, first asked at %s, and %d of it are in ledger and tables"
              .formatted(key, answers, at(submits.get(0).askedAt()), stored.size()));
    }
    if (stored.size() > acknowledged + saved + count(answers, Answer.UNKNOWN)) {
      findings.broken(
          Promise.ACCEPTED_TWICE,
          "%s was answered %s, and %d of it are in ledger and tables, the last %d"
              .formatted(key, answers, stored.size(), Collections.max(stored)));
    }
  }

  private static int count(Map<Answer, Integer> answers, Answer answer) {
    return answers.getOrDefault(answer, 0);
  }
}
