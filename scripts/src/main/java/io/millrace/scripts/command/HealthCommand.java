package io.millrace.scripts.command;

import io.millrace.api.TrackerHealth;
import io.millrace.console.api.fleet.HealthRoutes.Health;
import io.millrace.console.api.fleet.HealthRoutes.Status;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.Operator;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace health}: shows the health of a tracker. */
@Command(
    name = "health",
    description = {
      "Checks the health of a tracker, and prints the node groups that it serves.",
      "Fails if the tracker cannot work, for example because the database does not answer."
    })
public final class HealthCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Override
  public Integer call() throws InterruptedException {
    Optional<Operator> operator = clientOptions.operator(spec);
    if (operator.isPresent()) {
      ask(operator.get());
    } else {
      try (JobClient client = clientOptions.connect(ClientOptions.OWN_GROUP)) {
        report(client.health());
      }
    }
    return ExitCode.OK;
  }

  /**
   * Queries the health endpoint, which needs no token and reports only what a process monitor
   * needs.
   */
  private static void ask(Operator operator) throws InterruptedException {
    Answer<Health> health = operator.api().health(ApiPath.outside("/health"), Health.class);
    if (health.value().status() == Status.UP || operator.output().isJson()) {
      operator.output().show(health, (value, out) -> out.println(value.status()));
    }
    if (health.value().status() != Status.UP) {
      throw new CommandFailedException(health.value().status() + ": " + health.value().trouble());
    }
  }

  private void report(TrackerHealth health) {
    if (!health.isGood()) {
      throw new CommandFailedException(name(health) + ": " + health.trouble());
    }
    spec.commandLine().getOut().println(name(health) + " " + serves(health));
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
