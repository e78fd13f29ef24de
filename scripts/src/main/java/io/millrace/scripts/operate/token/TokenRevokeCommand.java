package io.millrace.scripts.operate.token;

import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace token revoke}: revokes a token. */
@Command(
    name = "revoke",
    sortOptions = false,
    description =
        "Revokes a token, at once and at every tracker, and ends its sessions. Fails if there"
            + " is no valid token of this name.")
public final class TokenRevokeCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the token.")
  private String name = "";

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    operator.api().delete(ApiPath.of("tokens", name));
    operator.output().say("REVOKED " + name);
    return ExitCode.OK;
  }
}
