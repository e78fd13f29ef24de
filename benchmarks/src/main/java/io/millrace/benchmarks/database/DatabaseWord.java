package io.millrace.benchmarks.database;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses names of databases. One whose program is missing is refused here, before the first
 * database of the command line is measured.
 */
public final class DatabaseWord implements ITypeConverter<DatabaseKind> {
  private final Map<String, String> environment;

  /** Called by the command line. */
  DatabaseWord() {
    this(System.getenv());
  }

  DatabaseWord(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public DatabaseKind convert(String word) {
    DatabaseKind kind =
        Arrays.stream(DatabaseKind.values())
            .filter(each -> each.word().equals(word.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    new TypeConversionException(
                        "there is no database '%s', only %s".formatted(word, words())));
    try {
      kind.checkInstalled(environment);
    } catch (MissingProgramException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
    return kind;
  }

  private static String words() {
    return Arrays.stream(DatabaseKind.values())
        .map(DatabaseKind::word)
        .collect(Collectors.joining(", "));
  }
}
