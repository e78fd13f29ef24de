package io.millrace.scripts.command;

import io.millrace.jobclient.JobClient;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Operator;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that sends one request about a job: as an application, or with {@code --url} as an
 * operator.
 */
abstract class ClientCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();
  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Override
  public final Integer call() throws InterruptedException {
    check();
    Optional<Operator> operator = clientOptions.operator(spec);
    if (operator.isPresent()) {
      ask(new JobActions(operator.get(), key));
      return ExitCode.OK;
    }
    try (JobClient client = clientOptions.connect(ClientOptions.OWN_GROUP)) {
      ask(client);
      return ExitCode.OK;
    }
  }

  /**
   * Checks the command's own options before any connection is made.
   *
   * @throws io.millrace.scripts.BadInputException if one of them is invalid
   */
  void check() {}

  /** Sends the request through the API. */
  abstract void ask(JobActions job) throws InterruptedException;

  /** Sends the request as an application. */
  abstract void ask(JobClient client) throws InterruptedException;

  JobKey key() {
    return key;
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
