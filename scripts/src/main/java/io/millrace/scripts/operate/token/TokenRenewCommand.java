package io.millrace.scripts.operate.token;

import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.api.operator.TokenRoutes.TokenRenewal;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace token renew}: gives a token another secret. */
@Command(
    name = "renew",
    sortOptions = false,
    description = {
      "Gives a token another secret in place of its own, with the same name and role, and prints"
          + " it, only this once. Also for a token that has expired.",
      "The old secret stops being valid at once, and the sessions that began with it end."
    })
public final class TokenRenewCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the token.")
  private String name = "";

  @Option(
      names = "--expires",
      paramLabel = "DURATION",
      description = "How long the token is valid, such as 90d; without it, as long as before.")
  private @Nullable Duration expires;

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    operator
        .output()
        .show(
            operator
                .api()
                .post(
                    ApiPath.of("tokens", name, "renew"),
                    new TokenRenewal(expires),
                    IssuedToken.class),
            TokenIssueCommand::print);
    return ExitCode.OK;
  }
}
