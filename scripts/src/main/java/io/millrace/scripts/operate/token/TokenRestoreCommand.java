package io.millrace.scripts.operate.token;

import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace token restore}: lets a person who was revoked sign in again. */
@Command(
    name = "restore",
    sortOptions = false,
    description =
        "Lets a person who signs in through the identity provider, and was revoked, sign in again."
            + " A token that was revoked stays so.")
public final class TokenRestoreCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the person.")
  private String name = "";

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    operator.api().post(ApiPath.of("tokens", name, "restore"));
    operator.output().say("RESTORED " + name);
    return ExitCode.OK;
  }
}
