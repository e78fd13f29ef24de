package io.millrace.scripts.operate.token;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace token}: issues, renews or revokes a token, or restores a person. */
@Command(
    name = "token",
    description =
        "Issues, renews or revokes a token of an operator, or restores a person. Needs the role ADMIN.",
    subcommands = {
      TokenIssueCommand.class,
      TokenRenewCommand.class,
      TokenRevokeCommand.class,
      TokenRestoreCommand.class
    })
public final class TokenCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: issue, renew, revoke or restore");
  }
}
