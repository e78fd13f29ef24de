package io.millrace.scripts.operate.run;

import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.KeptSummary;
import io.millrace.console.api.KeptSummary.StepDone;
import io.millrace.console.api.PartOfRun;
import io.millrace.console.api.ProgressSummary;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionDetail;
import io.millrace.console.api.history.ExecutionSummary;
import io.millrace.scripts.output.Details;
import io.millrace.scripts.output.Table;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Prints all that is known of one execution. */
public final class ExecutionDetails {
  private static final Table<StepDone> STEPS =
      new Table<StepDone>()
          .text("STEP", StepDone::name)
          .text("STORED", StepDone::at)
          .text("FAULT", step -> step.fault() ? "its value could not be stored" : null);

  private ExecutionDetails() {}

  static void print(ExecutionDetail detail, PrintWriter out) {
    Details details = new Details().add("execution", detail.id());
    if (detail.underWay() != null) {
      addRunning(details, detail.underWay());
    }
    if (detail.ended() != null) {
      addEnd(details, detail.ended());
    }
    details.add(
        "parts", detail.wasSplit() ? "which millrace batch " + detail.id() + " shows" : null);
    addCheckpoint(details, detail.kept()).print(out);
    printSteps(detail.kept(), out);
  }

  private static void addRunning(Details details, ExecutionSummary row) {
    details
        .add("job", row.nodeGroup() + "/" + row.taskId())
        .add("state", row.parts() == null ? "RUNNING" : "SPLIT")
        .add("part", partOf(row.part()))
        .add("parts", parts(row))
        .add("planned for", row.plannedFor())
        .add("extra run", row.ordinal() == 0 || row.part() != null ? null : row.ordinal())
        .add("attempt", row.attempt() + "/" + row.maxAttempts())
        .add("due", row.dueAt())
        .add("claimed", row.claimedAt())
        .add(row.parts() == null ? "worker" : "split by", row.workerId())
        .add("handler", row.handler())
        .add("time-out", row.timeout())
        .add("stopping", row.stopRequested() ? true : null)
        .add("progress", progress(row.progress()))
        .add("submitted by", row.submittedBy());
  }

  private static void addEnd(Details details, HistoryItem row) {
    details
        .add("job", row.nodeGroup() + "/" + row.taskId())
        .add("status", row.status())
        .add("cause", row.cause())
        .add("message", row.message())
        .add("planned for", row.plannedFor())
        .add("part", row.batch() == null ? null : row.ordinal() + " of batch " + row.batch())
        .add("extra run", row.ordinal() == 0 || row.batch() != null ? null : row.ordinal())
        .add("attempt", row.attempt() == 0 ? null : row.attempt())
        .add("due", row.dueAt())
        .add("claimed", row.claimedAt())
        .add("started", row.startedAt())
        .add("ended", row.finishedAt())
        .add("worker", row.workerId())
        .add("handler", row.handler())
        .add("result", result(row))
        .add("submission", row.submissionId())
        .add("submitted by", row.submittedBy())
        .add("trace parent", row.traceParent());
  }

  private static @Nullable String result(HistoryItem row) {
    return row.resultBytes() == null
        ? null
        : row.resultBytes() + " bytes, which millrace result " + row.id() + " prints";
  }

  /** Says how far an execution has come, or its parts; null if its job does not say. */
  static @Nullable String progress(ExecutionSummary row) {
    return row.parts() == null ? progress(row.progress()) : BatchLines.ended(row.parts());
  }

  private static @Nullable String parts(ExecutionSummary row) {
    return row.parts() == null
        ? null
        : BatchLines.counts(row.parts()) + "; millrace batch " + row.id() + " shows them";
  }

  private static @Nullable String partOf(@Nullable PartOfRun part) {
    return part == null
        ? null
        : number(part) + " of batch " + part.batch() + ", a run of " + part.taskId();
  }

  /** The number of a part, and of how many if its run is split into shards; null if it is none. */
  static @Nullable String number(@Nullable PartOfRun part) {
    if (part == null) {
      return null;
    }
    return part.shards() == null ? "" + part.number() : part.number() + "/" + part.shards();
  }

  /** Says how far an execution has come; null if its job does not say. */
  public static @Nullable String progress(@Nullable ProgressSummary progress) {
    if (progress == null) {
      return null;
    }
    String count =
        progress.total() == 0
            ? String.valueOf(progress.done())
            : progress.done() + "/" + progress.total();
    return progress.message() == null ? count : count + ", " + progress.message();
  }

  /** Adds when the last checkpoint was stored, if there is one. */
  public static Details addCheckpoint(Details details, @Nullable KeptSummary kept) {
    return details.add("last checkpoint", kept == null ? null : kept.checkpointAt());
  }

  /** Prints the steps that are done, if there are any. */
  public static void printSteps(@Nullable KeptSummary kept, PrintWriter out) {
    if (kept != null) {
      STEPS.on(out).print(kept.steps());
    }
  }
}
