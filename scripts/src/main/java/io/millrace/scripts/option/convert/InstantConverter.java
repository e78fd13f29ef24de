package io.millrace.scripts.option.convert;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts instants in ISO-8601. Requires an offset, because a local time depends on the time zone.
 */
public final class InstantConverter implements ITypeConverter<Instant> {

  @Override
  public Instant convert(String value) {
    try {
      return OffsetDateTime.parse(value.strip()).toInstant();
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not an instant: use ISO-8601 with Z or an offset, such as"
              + " 2030-01-31T08:00:00Z or 2030-01-31T16:00:00+08:00");
    }
  }
}
