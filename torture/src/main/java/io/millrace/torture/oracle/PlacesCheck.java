package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Workload;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a job that requires a label, and each part of its runs, runs only on workers that
 * have it. That jobs of one key run on one worker is a preference: how many did is only told.
 */
final class PlacesCheck implements Check {
  private static final Pattern START = Pattern.compile("\\..*");

  @Override
  public void check(Records records, Findings findings) {
    Map<String, Map<String, Integer>> sticky = new HashMap<>();
    for (Run run : records.runs()) {
      @Nullable LoadJob job = records.jobs().get(run.key());
      String label = job == null ? null : job.label();
      String key = job == null ? null : job.stickTo();
      if (label != null) {
        findings.tally("starts on workers with the label " + label);
        if (!Workload.labelsOf(run.process()).contains(label)) {
          findings.broken(
              Promise.UNEXPLAINED_DUPLICATE,
              "execution %d of %s began at %s on %s, which has no label %s"
                  .formatted(
                      run.executionId(), run.key(), at(run.beganAt()), run.process(), label));
        }
      }
      if (key != null) {
        String worker = START.matcher(run.process()).replaceFirst("");
        sticky
            .computeIfAbsent(run.nodeGroup() + "/" + key, k -> new HashMap<>())
            .merge(worker, 1, Integer::sum);
      }
    }
    sticky.values().forEach(workers -> tell(workers, findings));
  }

  private static void tell(Map<String, Integer> workers, Findings findings) {
    int most = workers.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    int all = workers.values().stream().mapToInt(Integer::intValue).sum();
    for (int i = 0; i < all; i++) {
      findings.tally(
          i < most ? "starts on the worker of their key" : "starts not on the worker of their key");
    }
  }
}
