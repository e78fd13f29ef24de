package io.millrace.scripts.operate;

import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.job.JobSummary;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace jobs}: lists the jobs. */
@Command(
    name = "jobs",
    sortOptions = false,
    description = {
      "Lists recurring jobs, ordered by node group and task id.",
      "One-shots are not listed: see waiting, running and history."
    })
public final class JobsCommand implements Callable<Integer> {
  private static final Listing<JobPage, JobSummary> LISTING =
      new Listing<>(
          JobPage.class,
          JobPage::items,
          JobPage::next,
          new Table<JobSummary>()
              .text("GROUP", JobSummary::nodeGroup)
              .text("TASK ID", JobSummary::taskId)
              .text("STATE", JobSummary::state)
              .text("NEXT FIRE TIME", JobSummary::nextFireAt)
              .number("RUNNING", JobSummary::running)
              .number("QUEUED", JobSummary::queued)
              .text("HANDLER", JobSummary::handler)
              .text("OWNER", JobSummary::owner)
              .text("SCHEDULE", JobSummary::scheduleInWords));

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description = "Only those of this node group.")
  private @Nullable String nodeGroup;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those in this state: ${COMPLETION-CANDIDATES}.")
  private @Nullable JobState state;

  @Option(names = "--handler", paramLabel = "NAME", description = "Only those with this handler.")
  private @Nullable String handler;

  @Option(
      names = "--owner",
      paramLabel = "NAME",
      description = "Only those that this owner declares.")
  private @Nullable String owner;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "Only those whose task id begins with this; uses an index.")
  private @Nullable String prefix;

  @Option(
      names = "--contains",
      paramLabel = "TEXT",
      description = "Only those whose task id contains this, ignoring case.")
  private @Nullable String contains;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    ApiPath path =
        ApiPath.of("jobs")
            .with("group", nodeGroup)
            .with("state", state)
            .with("handler", handler)
            .with("owner", owner)
            .with("prefix", prefix)
            .with("contains", contains);
    return LISTING.show(pages, path);
  }
}
