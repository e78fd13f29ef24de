package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.BenchJob;
import io.millrace.benchmarks.report.Machine;
import java.util.ArrayList;
import java.util.List;

/** The conditions of the measurement, for the head of the report. */
final class Setting {
  private Setting() {}

  static List<String> lines(Plan plan) {
    List<String> lines = new ArrayList<>();
    lines.add(Machine.line());
    lines.add("Each process of each contender: java " + String.join(" ", plan.jvmOptions()));
    lines.add(
        "Workers: %d slots; submitters: %d threads; a batch: %d jobs; parameters: %d bytes"
            .formatted(plan.slots(), plan.submitters(), plan.batch(), BenchJob.PAYLOAD_CHARS));
    lines.add(
        "Each rate is repeated until three rounds in a row differ by less than a tenth; each value"
            + " is the median of its last three rounds, with their minimum and maximum; ratios are"
            + " ours divided by theirs.");
    for (ContenderKind kind : ContenderKind.values()) {
      lines.add(kind.measured().name() + ": " + kind.conditions());
    }
    return lines;
  }
}
