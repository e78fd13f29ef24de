package io.millrace.scripts.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.Millrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page on the command line and the commands agree. */
class CommandLineDocTest {
  private static final Pattern COMMAND = Pattern.compile("(?m)^millrace ([a-z]+) (.*)$");
  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");
  private static final String PAGE = read(Path.of("../docs/command-line.md"));

  private final CommandLine millrace = Millrace.commandLine();

  @Test
  void everyCommandHasItsRow() {
    assertThat(millrace.getSubcommands().keySet())
        .allSatisfy(name -> assertThat(PAGE).containsPattern("(?m)^\\|.*`" + name + "[ `]"));
  }

  @Test
  void examplesUseCommandsAndOptionsThatAreThere() {
    Matcher example = COMMAND.matcher(PAGE);
    Set<String> shown = new TreeSet<>();
    while (example.find()) {
      CommandLine command = millrace.getSubcommands().get(example.group(1));
      assertThat(command).as(example.group()).isNotNull();
      command = named(command, example.group(2));
      assertThat(optionsIn(example.group(2))).as(example.group()).isSubsetOf(namesOf(command));
      shown.add(example.group(1));
    }
    assertThat(shown).contains("submit", "pause", "resume", "run", "explain", "cancel");
  }

  @Test
  void everyOptionThatThePageNamesIsOneOfSomeCommand() {
    Set<String> known = new TreeSet<>();
    addNames(millrace, known);

    assertThat(optionsIn(PAGE)).isNotEmpty().isSubsetOf(known);
  }

  @Test
  void whatChoosesPoliciesIsOnThePage() {
    assertThat(PAGE).contains("--overlap", "--misfire", "--until", "--reason", "after-pause");
  }

  /** The command that the first words of its arguments lead to. */
  private static CommandLine named(CommandLine command, String arguments) {
    CommandLine found = command;
    for (String word : arguments.split(" ")) {
      CommandLine below = found.getSubcommands().get(word);
      if (below == null) {
        return found;
      }
      found = below;
    }
    return found;
  }

  private static void addNames(CommandLine command, Set<String> names) {
    names.addAll(namesOf(command));
    command.getSubcommands().values().forEach(below -> addNames(below, names));
  }

  private static Collection<String> namesOf(CommandLine command) {
    return command.getCommandSpec().optionsMap().keySet();
  }

  private static Set<String> optionsIn(String text) {
    Set<String> options = new TreeSet<>();
    OPTION.matcher(text).results().forEach(found -> options.add(found.group()));
    return options;
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
