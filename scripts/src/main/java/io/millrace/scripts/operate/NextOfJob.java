package io.millrace.scripts.operate;

import io.millrace.console.api.Fire;
import io.millrace.console.api.job.FireList;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.Operator;

/** Shows the next fire times of a job. */
public final class NextOfJob {
  private final Operator operator;

  public NextOfJob(Operator operator) {
    this.operator = operator;
  }

  /**
   * Prints one fire time per line; the description of the schedule goes to the error stream.
   *
   * @throws CommandFailedException if there is none
   */
  public int show(String nodeGroup, String taskId, int count) throws InterruptedException {
    Answer<FireList> answer =
        operator
            .api()
            .get(
                ApiPath.of("jobs", nodeGroup, taskId, "next").with("count", count), FireList.class);
    FireList fires = answer.value();
    boolean forPeople = !operator.output().isJson();
    if (forPeople) {
      operator.output().note(fires.words());
    }
    operator
        .output()
        .show(answer, (list, out) -> list.items().forEach(fire -> out.println(line(fire))));
    if (fires.items().isEmpty()) {
      throw new CommandFailedException(
          "it does not fire" + (fires.note() == null ? "" : ": " + fires.note()));
    }
    if (forPeople && fires.note() != null) {
      operator.output().note(fires.note());
    }
    return ExitCode.OK;
  }

  private static String line(Fire fire) {
    return fire.at() + "  " + fire.local() + (fire.note() == null ? "" : "  " + fire.note());
  }
}
