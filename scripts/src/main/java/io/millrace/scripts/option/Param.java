package io.millrace.scripts.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One parameter of a job.
 *
 * @param name the text before the first equals sign; not empty
 * @param value the text after it; may be empty and may contain further equals signs
 */
public record Param(String name, String value) {

  /** Parses {@code name=value}. */
  public static final class Converter implements ITypeConverter<Param> {

    @Override
    public Param convert(String text) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new TypeConversionException("'" + text + "' is not a parameter: use name=value");
      }
      return new Param(text.substring(0, equals), text.substring(equals + 1));
    }
  }
}
