package io.millrace.scripts.operate.file;

import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ApiConnection;
import io.millrace.scripts.option.Operator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace export}: writes the live jobs in the form that apply reads. */
@Command(
    name = "export",
    sortOptions = false,
    description = {
      "Writes the live jobs as JSON, in the form that apply reads: recurring jobs, and one-shots"
          + " that wait. Fields that have their defaults are left out.",
      "Leaves out jobs that an application declares."
    })
public final class ExportCommand implements Callable<Integer> {

  @Option(
      names = {"--node-group", "--group"},
      paramLabel = "NAME",
      description = "Only jobs of this node group; can be repeated.")
  private List<String> groups = new ArrayList<>();

  @Option(
      names = {"--prefix", "--task"},
      paramLabel = "PREFIX",
      description = "Only jobs whose task id begins with this.")
  private @Nullable String prefix;

  @Option(names = "--no-one-shots", description = "Only recurring jobs.")
  private boolean noOneShots;

  @Option(names = "--declared", description = "Also jobs that an application declares.")
  private boolean declared;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write this file, when all is read. Default: the standard output.")
  private @Nullable Path file;

  @Mixin private ApiConnection api = new ApiConnection();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    Export export = new Export(operator, declared);
    List<Key> keys = export.keys(groups, prefix, !noOneShots);
    if (file == null) {
      export.write(keys, operator.output().out());
    } else {
      writeFile(export, keys, file);
    }
    export.sayWhatIsNotThere();
    return ExitCode.OK;
  }

  /** Writes beside the file first: an export that fails leaves the former one as it was. */
  private static void writeFile(Export export, List<Key> keys, Path file)
      throws InterruptedException {
    Path beside = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(beside))) {
        export.write(keys, out);
        if (out.checkError()) {
          throw new CommandFailedException(beside + " cannot be written");
        }
      }
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new BadInputException(file + " cannot be written: " + e.getClass().getSimpleName(), e);
    } finally {
      delete(beside);
    }
  }

  private static void delete(Path beside) {
    try {
      boolean unused = Files.deleteIfExists(beside);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
