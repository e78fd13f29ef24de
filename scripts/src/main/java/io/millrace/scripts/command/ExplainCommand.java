package io.millrace.scripts.command;

import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Fact;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.operate.JobLines;
import io.millrace.scripts.output.Cell;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code millrace explain}: shows why a job ran or did not run. */
@Command(
    name = "explain",
    description = {
      "Explains why a job has or has not run, and what happens next: one fact a line, with"
          + " its instant in front if it has one.",
      "Changes nothing. Fails if the job is unknown, and names similar task ids."
    })
public final class ExplainCommand extends ClientCommand {

  @Override
  void ask(JobActions job) throws InterruptedException {
    job.explain();
  }

  @Override
  void ask(JobClient client) throws InterruptedException {
    Explanation explanation = client.explain(key().nodeGroup(), key().taskId());
    if (!explanation.isFound()) {
      throw new CommandFailedException(notFound(explanation));
    }
    explanation.facts().forEach(fact -> out().println(JobLines.fact(fact)));
  }

  /**
   * Returns the tracker's message, which says how far it searched and which other group has the
   * job.
   */
  private static String notFound(Explanation explanation) {
    List<String> similar = explanation.similarTaskIds();
    String said = explanation.facts().stream().map(Fact::text).collect(Collectors.joining(" "));
    return Cell.line(
        similar.isEmpty() ? said : said + " Similar task ids: " + String.join(", ", similar) + ".");
  }
}
