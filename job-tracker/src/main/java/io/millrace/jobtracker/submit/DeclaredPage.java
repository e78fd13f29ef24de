package io.millrace.jobtracker.submit;

import io.millrace.api.DeclareResult.Change;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.declared.DeclaredStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the jobs of a page with what was declared last, in the transaction of the caller. What
 * the same declaration has done before is answered from the record. Thread-safe.
 */
final class DeclaredPage {
  private final DeclaredStore declared;
  private final DeclareAdmission admission;
  private final DeclaredJobWriter writer;
  private final StoreQuotas quotas;

  DeclaredPage(
      DeclaredStore declared,
      DeclareAdmission admission,
      DeclaredJobWriter writer,
      StoreQuotas quotas) {
    this.declared = declared;
    this.admission = admission;
    this.writer = writer;
    this.quotas = quotas;
  }

  /** A job that was not declared like this before, and what was declared last of its key. */
  record Differing(DeclaredEntry entry, @Nullable DeclaredJob row) {}

  /**
   * Handles the jobs of a page that belong to one node group.
   *
   * @param inBatch whether new jobs are stored together
   */
  DeclareOutcome declare(
      DeclareRequest request,
      String group,
      List<DeclaredEntry> entries,
      boolean inBatch,
      long now) {
    DeclareOutcome done = new DeclareOutcome(admission.admit(request, now).refusal());
    if (done.refusal() != null) {
      return done;
    }
    Map<String, DeclaredJob> rows =
        declared.lock(group, entries.stream().map(DeclaredEntry::taskId).toList()).stream()
            .collect(Collectors.toMap(DeclaredJob::taskId, Function.identity()));
    List<Long> same = new ArrayList<>();
    List<Differing> differing = new ArrayList<>();
    for (DeclaredEntry entry : entries) {
      DeclaredJob row = rows.get(entry.taskId());
      if (row == null || !isAnswered(request, entry, row, same, done)) {
        compare(new Differing(entry, row), request, differing, done);
      }
    }
    declared.mark(same, latest(request, Change.UNCHANGED, null));
    if (!differing.isEmpty()) {
      requireRoom(group);
      writer.store(request, group, differing, inBatch, done, now);
    }
    return done;
  }

  /** Fails if no more jobs may wait in the node group; the page may be sent again later. */
  private void requireRoom(String group) {
    String full = quotas.faultOfWaiting(group);
    if (full != null) {
      throw new RpcException(ErrorCode.UNAVAILABLE, full);
    }
  }

  private static boolean isAnswered(
      DeclareRequest request,
      DeclaredEntry entry,
      DeclaredJob row,
      List<Long> same,
      DeclareOutcome done) {
    Latest latest = row.latest();
    if (!row.belongsTo(request.owner())) {
      return false;
    }
    boolean wasStored = latest.change() != Change.REJECTED && latest.change() != Change.CONFLICT;
    if (latest.declarationId().equals(request.declarationId()) && wasStored) {
      done.answer(entry, latest.change(), latest.message());
      return true;
    }
    if (row.definition().equals(entry.definition())) {
      same.add(row.id());
      done.answer(entry, Change.UNCHANGED, null);
      return true;
    }
    return false;
  }

  private void compare(
      Differing job, DeclareRequest request, List<Differing> differing, DeclareOutcome done) {
    DeclaredEntry entry = job.entry();
    DeclaredJob row = job.row();
    boolean isOwn = row != null && row.belongsTo(request.owner());
    if (entry.rejection() != null) {
      done.answer(entry, entry.rejection());
      if (row != null && isOwn) {
        declared.update(
            row.seen(latest(request, Change.REJECTED, entry.rejection().message()), null));
      }
    } else if (row != null && !row.isRetired() && !isOwn && !request.adopt()) {
      done.answer(
          entry,
          Change.CONFLICT,
          "the job is declared by owner '" + row.latest().owner() + "'; adopt takes it over");
    } else {
      differing.add(job);
    }
  }

  static Latest latest(DeclareRequest request, Change change, @Nullable String message) {
    return new Latest(
        request.owner(),
        request.revision(),
        request.declarationId(),
        request.page(),
        change,
        message);
  }
}
