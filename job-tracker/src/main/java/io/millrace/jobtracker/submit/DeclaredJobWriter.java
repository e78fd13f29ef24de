package io.millrace.jobtracker.submit;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.JobEdit;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Former;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.DeclaredPage.Differing;
import io.millrace.jobtracker.submit.job.LockedJobs;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores the jobs that differ from what was declared last, and what is declared of them now, in the
 * transaction of the caller. A live job is edited, which keeps its pause. Thread-safe.
 */
final class DeclaredJobWriter {
  /** After so many reverts in a row, two sets of one revision take turns. */
  private static final int REVERTS_OF_A_FLIP_FLOP = 2;

  private final Stores stores;
  private final RecurringSubmit single;
  private final RecurringBatch batch;
  private final LockedJobs locked;
  private final TriggerWithdrawal takeback;
  private final IdSequence ids;
  private final JsonCodec codec = new JsonCodec();

  DeclaredJobWriter(
      Stores stores,
      RecurringSubmit single,
      RecurringBatch batch,
      LockedJobs locked,
      TriggerWithdrawal takeback,
      IdSequence ids) {
    this.stores = stores;
    this.single = single;
    this.batch = batch;
    this.locked = locked;
    this.takeback = takeback;
    this.ids = ids;
  }

  /** What was done, and what to say of it. */
  private record Done(Change change, @Nullable String message) {}

  void store(
      DeclareRequest request,
      String group,
      List<Differing> differing,
      boolean inBatch,
      DeclareOutcome done,
      long now) {
    Set<PendingSubmit> fresh = inBatch ? storeTogether(group, differing, done, now) : Set.of();
    List<Differing> others = new ArrayList<>();
    List<DeclaredJob> inserted = new ArrayList<>();
    for (Differing job : differing) {
      if (job.row() == null && fresh.contains(Objects.requireNonNull(job.entry().pending()))) {
        inserted.add(write(request, job, new Done(Change.ADDED, null), now));
        done.answer(job.entry(), Change.ADDED, null);
      } else {
        others.add(job);
      }
    }
    Map<String, JobDefinition> present =
        others.isEmpty()
            ? Map.of()
            : stores
                .jobs()
                .findByTasks(group, others.stream().map(job -> job.entry().taskId()).toList())
                .stream()
                .collect(Collectors.toMap(JobDefinition::taskId, Function.identity()));
    for (Differing job : others) {
      DeclaredJob written = storeAlone(request, job, present.get(job.entry().taskId()), done, now);
      if (written != null && job.row() == null) {
        inserted.add(written);
      } else if (written != null) {
        stores.declared().update(written);
        checkReverts(written, done);
      }
    }
    if (!inserted.isEmpty()) {
      stores.declared().insert(inserted);
    }
    done.submitted().versions().write(stores.versions());
  }

  /** Stores jobs of unused keys, and returns which; the set compares by identity. */
  private Set<PendingSubmit> storeTogether(
      String group, List<Differing> differing, DeclareOutcome done, long now) {
    List<PendingSubmit> candidates =
        differing.stream()
            .filter(job -> job.row() == null)
            .map(job -> Objects.requireNonNull(job.entry().pending()))
            .toList();
    Set<PendingSubmit> fresh = Collections.newSetFromMap(new IdentityHashMap<>());
    if (!candidates.isEmpty()) {
      fresh.addAll(batch.storeNew(group, candidates, done.submitted(), now));
    }
    return fresh;
  }

  /** Stores one job and answers it; returns the row to write, or null if nothing is declared. */
  private @Nullable DeclaredJob storeAlone(
      DeclareRequest request,
      Differing job,
      @Nullable JobDefinition before,
      DeclareOutcome done,
      long now) {
    DeclaredEntry entry = job.entry();
    DeclaredJob row = job.row();
    String group = entry.job().nodeGroup();
    boolean isOwn = row != null && row.belongsTo(request.owner());
    boolean isAlive = before != null && before.state().isLive() && !locked.isOver(group, before);
    if (isAlive && !isOwn && !request.adopt()) {
      done.answer(
          entry, Change.CONFLICT, "a job that nobody declared has the key; adopt takes it over");
      return null;
    }
    SubmitResult result = submit(group, entry, isAlive, done);
    if (result.isStored()) {
      Done stored = describe(request, row, isAlive, before);
      if (stored.change() == Change.RETURNED) {
        pauseAgain(group, entry.taskId(), row, done, now);
      }
      done.answer(entry, stored.change(), stored.message());
      return write(request, job, stored, now);
    }
    Change change = result.reason() == null ? Change.CONFLICT : Change.REJECTED;
    done.answer(
        entry, DeclaredEntry.result(entry.job(), change, result.reason(), result.message()));
    return row == null || !isOwn
        ? null
        : row.seen(DeclaredPage.latest(request, change, result.message()), null);
  }

  private SubmitResult submit(
      String group, DeclaredEntry entry, boolean isAlive, DeclareOutcome done) {
    PendingSubmit plain = Objects.requireNonNull(entry.pending());
    if (isAlive) {
      PendingSubmit edit = plain.editing(new JobEdit(null, null));
      single.store(group, edit, done.submitted());
      SubmitResult result = done.submitted().answer(edit);
      if (result.reason() != RejectReason.JOB_CHANGED) {
        return result;
      }
    }
    single.store(group, plain, done.submitted());
    return done.submitted().answer(plain);
  }

  private static Done describe(
      DeclareRequest request,
      @Nullable DeclaredJob row,
      boolean wasAlive,
      @Nullable JobDefinition before) {
    if (row != null && row.belongsTo(request.owner())) {
      return new Done(Change.CHANGED, replacedEdit(row, wasAlive, before));
    }
    Retirement retirement = row == null ? null : row.retirement();
    if (row != null && retirement != null && row.latest().owner().equals(request.owner())) {
      Pause pause = retirement.pause();
      return new Done(
          Change.RETURNED, pause == null ? null : "it is paused, as it was: by " + pause.by());
    }
    if (row != null && retirement == null) {
      String former = "adopted; it was declared by owner '" + row.latest().owner() + "'";
      return new Done(Change.CHANGED, former);
    }
    return wasAlive
        ? new Done(Change.CHANGED, "adopted; nobody had declared it")
        : new Done(Change.ADDED, null);
  }

  private static @Nullable String replacedEdit(
      DeclaredJob row, boolean wasAlive, @Nullable JobDefinition before) {
    if (before == null) {
      return "the job no longer existed";
    }
    if (!wasAlive) {
      return "the job was " + before.state() + " and runs again";
    }
    return before.spec().submissionId().equals(row.submissionId())
        ? null
        : "replaced the edit of version "
            + before.version()
            + ", made by "
            + before.spec().submittedBy()
            + " at "
            + Instant.ofEpochMilli(before.acceptedAt());
  }

  /** Pauses a job that was paused when it was retired, and withdraws its new triggers. */
  private void pauseAgain(
      String group, String taskId, @Nullable DeclaredJob row, DeclareOutcome done, long now) {
    Retirement retirement = row == null ? null : row.retirement();
    Pause pause = retirement == null ? null : retirement.pause();
    if (pause == null) {
      return;
    }
    JobDefinition job = locked.find(group, taskId).orElseThrow();
    TriggerWithdrawal.TakenBack taken =
        takeback.takeBackTriggers(group, job, TriggerWithdrawal.Reason.PAUSED, job.spec(), now);
    done.submitted().storedFeedback(taken.hasFeedback());
    long until = Math.max(now, taken.plannedUntil());
    locked.replace(
        job.paused(pause).fired(until, -taken.later().size(), null, false), job.version());
    done.submitted().stored().removeIf(stored -> stored.key().taskId().equals(taskId));
  }

  private DeclaredJob write(DeclareRequest request, Differing job, Done done, long now) {
    DeclaredEntry entry = job.entry();
    DeclaredJob row = job.row();
    return new DeclaredJob(
        row == null ? ids.next(now) : row.id(),
        entry.job().nodeGroup(),
        entry.taskId(),
        DeclaredPage.latest(request, done.change(), done.message()),
        entry.definition(),
        Objects.requireNonNull(entry.pending()).spec().submissionId(),
        now,
        null,
        row == null ? Former.NONE : former(request, row, entry.definition(), done.change()));
  }

  /** Counts how often the same revision, or none, has gone back to what it had before. */
  private Former former(
      DeclareRequest request, DeclaredJob row, DeclaredDefinition next, Change change) {
    boolean isOfOneRevision =
        row.latest().owner().equals(request.owner())
            && Objects.equals(row.latest().revision(), request.revision());
    boolean isReverted = change == Change.RETURNED || digestOf(next).equals(row.former().digest());
    int reverts = isOfOneRevision && isReverted ? row.former().reverts() + 1 : 0;
    return new Former(digestOf(row.definition()), reverts);
  }

  private String digestOf(DeclaredDefinition definition) {
    return DeclaredDefinition.digestOf(codec.encodeText(definition));
  }

  private static void checkReverts(DeclaredJob written, DeclareOutcome done) {
    if (written.former().reverts() >= REVERTS_OF_A_FLIP_FLOP) {
      done.reverted(written.taskId());
    }
  }
}
