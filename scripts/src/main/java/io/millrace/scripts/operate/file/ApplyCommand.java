package io.millrace.scripts.operate.file;

import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.file.LiveJobs.Listed;
import io.millrace.scripts.option.ApiConnection;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace apply}: makes the live jobs those of a file. */
@Command(
    name = "apply",
    sortOptions = false,
    description = {
      "Compares the jobs of a file, as export writes it, with the live jobs, prints the difference,"
          + " asks, and submits and edits jobs so that they are as in the file.",
      "Changes a job only if it is still as it was compared. Jobs that are not in the file stay,"
          + " unless --prune is given."
    })
public final class ApplyCommand implements Callable<Integer> {

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      required = true,
      description = "The file; - is the standard input. Can be repeated.")
  private List<Path> files = new ArrayList<>();

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Option(
      names = "--dry-run",
      description = "Only print the difference; exit with code 4 if there is one.")
  private boolean dryRun;

  @Option(
      names = "--prune",
      description =
          "Also cancel jobs that are not in the file, in the node groups of --prune-group."
              + " Leaves alone jobs that an application declares.")
  private boolean prune;

  @Option(
      names = "--prune-group",
      paramLabel = "NAME",
      description = "With --prune, which needs at least one: a node group; can be repeated.")
  private List<String> pruneGroups = new ArrayList<>();

  @Option(
      names = "--prune-one-shots",
      description = "With --prune: also cancel one-shots that wait and are not in the file.")
  private boolean pruneOneShots;

  @Mixin private ApiConnection api = new ApiConnection();

  @Override
  public Integer call() throws InterruptedException, IOException {
    checkOptions();
    JobFiles read = new JobFiles(System.in);
    files.forEach(read::read);
    Operator operator = api.operator();
    Difference difference = difference(read.jobs(), new LiveJobs(operator));
    difference.print(operator.output());
    List<Change> toDo = difference.toDo();
    if (toDo.isEmpty()) {
      return ExitCode.OK;
    }
    if (dryRun) {
      return ExitCode.DIFFERS;
    }
    if (!yes) {
      ask(operator.output());
    }
    new Applying(operator).make(toDo);
    return ExitCode.OK;
  }

  private void checkOptions() {
    BadInputException.unless(!yes || !dryRun, "--yes and --dry-run exclude one another");
    BadInputException.unless(
        prune == !pruneGroups.isEmpty(), "--prune and --prune-group need one another");
    BadInputException.unless(prune || !pruneOneShots, "--prune-one-shots needs --prune");
  }

  private Difference difference(List<FileJob> wanted, LiveJobs live) throws InterruptedException {
    Instant now = live.now();
    List<Optional<LiveJob>> found = live.read(wanted.stream().map(FileJob::key).toList());
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      changes.add(Difference.of(wanted.get(i), found.get(i).orElse(null), now));
    }
    if (prune) {
      Set<Key> kept = wanted.stream().map(FileJob::key).collect(Collectors.toSet());
      changes.addAll(removals(kept, live));
    }
    changes.sort(Comparator.comparing(Change::key));
    return new Difference(changes);
  }

  private List<Change> removals(Set<Key> kept, LiveJobs live) throws InterruptedException {
    List<Change> removals = new ArrayList<>();
    Set<Key> others = new TreeSet<>();
    for (String group : new TreeSet<>(pruneGroups)) {
      for (Listed job : live.recurring(group, null)) {
        if (!kept.contains(job.key())) {
          if (job.owner() == null) {
            others.add(job.key());
          } else {
            removals.add(Difference.declared(job.key(), job.owner()));
          }
        }
      }
      if (pruneOneShots) {
        live.oneShots(group, null).stream().filter(key -> !kept.contains(key)).forEach(others::add);
      }
    }
    live.read(List.copyOf(others)).stream()
        .flatMap(Optional::stream)
        .filter(job -> !job.isFinished())
        .map(Difference::removal)
        .forEach(removals::add);
    return removals;
  }

  private void ask(Output output) throws IOException {
    BadInputException.unless(
        output.canAsk() && !files.contains(JobFiles.STANDARD_INPUT),
        "there is no terminal to ask on; nothing was changed. Use --yes to apply, or --dry-run");
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    if (!output.confirms("apply this?", answers)) {
      throw new CommandFailedException("nothing was changed");
    }
  }
}
