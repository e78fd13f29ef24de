package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.snapshot.KeptState;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;

/** The sentences on how far a trigger has come. */
record KeptPhrases(TaskSnapshot found, FactPhrases phrases) {

  /** The sentences on the trigger of this row; empty if nothing is known. */
  String of(long id) {
    return found
        .keptOf(id)
        .map(kept -> phrases.sentences(steps(kept), checkpoint(kept), progress(kept)))
        .orElse("");
  }

  private String steps(KeptState kept) {
    return kept.lastStep() == null
        ? ""
        : phrases.sayFor(
            kept.steps(),
            "running.steps",
            Words.grouped(kept.steps()),
            kept.lastStep(),
            phrases.since(kept.lastStepAt(), found.now()));
  }

  private String checkpoint(KeptState kept) {
    Long at = kept.checkpointAt();
    return at == null ? "" : phrases.say("running.checkpoint", phrases.since(at, found.now()));
  }

  private String progress(KeptState kept) {
    KeptState.Progress progress = kept.progress();
    if (progress == null) {
      return "";
    }
    String done = Words.grouped(progress.done());
    return progress.total() == 0
        ? phrases.say("running.done", done)
        : phrases.say("running.done-of", done, Words.grouped(progress.total()));
  }
}
