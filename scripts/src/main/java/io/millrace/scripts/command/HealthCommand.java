package io.millrace.scripts.command;

import io.millrace.common.model.TrackerHealth;
import io.millrace.console.api.fleet.HealthRoutes.Health;
import io.millrace.console.api.fleet.HealthRoutes.Status;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.Operator;
import picocli.CommandLine.Command;

/** {@code millrace health}: shows the health of a tracker. */
@Command(
    name = "health",
    description = {
      "Checks the health of a tracker, and prints the node groups that it serves.",
      "Fails if the tracker cannot work, for example because the database does not answer."
    })
public final class HealthCommand extends ClientCommand {

  /**
   * Queries the health endpoint, which needs no token and reports only what a process monitor
   * needs.
   */
  @Override
  int ask(Operator operator) throws InterruptedException {
    Answer<Health> health = operator.api().health(ApiPath.outside("/health"), Health.class);
    if (health.value().status() == Status.UP || operator.output().isJson()) {
      operator.output().show(health, (value, out) -> out.println(value.status()));
    }
    if (health.value().status() != Status.UP) {
      throw new CommandFailedException(health.value().status() + ": " + health.value().trouble());
    }
    return ExitCode.OK;
  }

  @Override
  int ask(JobClient client) throws InterruptedException {
    TrackerHealth health = client.health();
    if (!health.isGood()) {
      throw new CommandFailedException(name(health) + ": " + health.trouble());
    }
    out().println(name(health) + " " + serves(health));
    return ExitCode.OK;
  }

  private static String name(TrackerHealth health) {
    return "tracker %d (%s) at %s".formatted(health.number(), health.trackerId(), health.address());
  }

  private static String serves(TrackerHealth health) {
    return health.nodeGroups().isEmpty()
        ? "serves no node groups"
        : "serves " + String.join(", ", health.nodeGroups());
  }
}
