package io.millrace.scripts.command;

import io.millrace.jobclient.JobClient;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.Operator;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that sends one request: as an application, or with {@code --url} as an operator. */
abstract class ClientCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Override
  public final Integer call() throws InterruptedException {
    check();
    Optional<Operator> operator = clientOptions.operator(spec);
    if (operator.isPresent()) {
      return ask(operator.get());
    }
    try (JobClient client = clientOptions.connect(ClientOptions.OWN_GROUP)) {
      return ask(client);
    }
  }

  /**
   * Checks the command's own options before any connection is made.
   *
   * @throws io.millrace.scripts.BadInputException if one of them is invalid
   */
  void check() {}

  /** Sends the request through the API; returns the exit code. */
  abstract int ask(Operator operator) throws InterruptedException;

  /** Sends the request as an application; returns the exit code. */
  abstract int ask(JobClient client) throws InterruptedException;

  PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
