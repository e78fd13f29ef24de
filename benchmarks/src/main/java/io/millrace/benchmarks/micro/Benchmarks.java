package io.millrace.benchmarks.micro;

import java.io.IOException;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** Runs benchmarks with the command line of JMH and prints a summary at the end. */
public final class Benchmarks {
  private Benchmarks() {}

  /** Runs the command with the arguments of JMH. */
  public static void main(String[] arguments)
      throws CommandLineOptionException, IOException, RunnerException {
    CommandLineOptions options = new CommandLineOptions(arguments);
    if (options.shouldHelp()) {
      options.showHelp();
      return;
    }
    Collection<RunResult> results = new Runner(options).run();
    Summary.of(results).lines().forEach(System.out::println);
  }
}
