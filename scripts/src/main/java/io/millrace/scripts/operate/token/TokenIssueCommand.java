package io.millrace.scripts.operate.token;

import io.millrace.console.TokenAdmin;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.api.operator.TokenRoutes.NewToken;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiClient;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.ConfigFile;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.option.ProcessName;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace token issue}: issues a token to an operator. */
@Command(
    name = "issue",
    sortOptions = false,
    description = {
      "Issues a token and prints it, only this once. A name cannot be reused.",
      "With --config it needs no tracker and no token, but writes to the database in that"
          + " configuration: for when every ADMIN token is lost. With H2, stop the tracker first,"
          + " which locks the file."
    })
public final class TokenIssueCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The holder's name, which the audit records.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      required = true,
      description =
          "The role of the token: ${COMPLETION-CANDIDATES}; each role includes the ones before.")
  private Role role = Role.VIEW;

  @Option(
      names = "--expires",
      paramLabel = "DURATION",
      description =
          "How long the token is valid, such as 90d; without it, as long as the tracker's"
              + " console.max-token-life says, which is for ever unless it is set.")
  private @Nullable Duration expires;

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description =
          "Limits the token to this node group; several times for several. A * at the end of NAME"
              + " stands for the rest of the name.")
  private @Nullable List<String> nodeGroups;

  @Option(
      names = "--operates",
      paramLabel = "NAME",
      description =
          "With the role VIEW: lets the token change this node group, too; several times for"
              + " several. A * at the end of NAME stands for the rest of the name.")
  private @Nullable List<String> operates;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration of a tracker, to whose database the token is written.")
  private @Nullable Path config;

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    Answer<IssuedToken> issued = config == null ? byApi(operator.api()) : atDatabase(config);
    operator.output().show(issued, TokenIssueCommand::print);
    return ExitCode.OK;
  }

  private Answer<IssuedToken> byApi(ApiClient client) throws InterruptedException {
    return client.post(ApiPath.of("tokens"), wanted(), IssuedToken.class);
  }

  private NewToken wanted() {
    return new NewToken(name, role, expires, nodeGroups, operates);
  }

  private Answer<IssuedToken> atDatabase(Path file) {
    api.requireUnused("--config");
    try {
      IssuedToken issued =
          TokenAdmin.issue(ConfigFile.server(file), wanted(), ProcessName.ofThisProcess());
      return new Answer<>(new JsonCodec().encodeText(issued), issued);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    } catch (IllegalStateException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  static void print(IssuedToken issued, PrintWriter out) {
    out.println("token: " + issued.token() + "   (shown only once)");
    if (issued.expiresAt() != null) {
      out.println("expires: " + issued.expiresAt());
    }
  }
}
