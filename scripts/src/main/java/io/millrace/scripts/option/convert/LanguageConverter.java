package io.millrace.scripts.option.convert;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the languages in which expressions are described. */
public final class LanguageConverter implements ITypeConverter<Locale> {

  @Override
  public Locale convert(String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "en" -> Locale.ENGLISH;
      case "zh" -> Locale.CHINESE;
      default ->
          throw new TypeConversionException(
              "'" + value + "' is not a supported language: use en or zh");
    };
  }
}
