package io.millrace.scripts.option.convert;

import java.time.DateTimeException;
import java.time.ZoneId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts time zones, given by IANA name or by offset. */
public final class ZoneConverter implements ITypeConverter<ZoneId> {

  @Override
  public ZoneId convert(String value) {
    try {
      return ZoneId.of(value.strip());
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + value + "' is not a time zone: use one such as Asia/Shanghai, UTC or +08:00");
    }
  }
}
