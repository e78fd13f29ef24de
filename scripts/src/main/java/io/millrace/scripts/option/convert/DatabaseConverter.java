package io.millrace.scripts.option.convert;

import io.millrace.jobtracker.StoreSchema;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the kind of a database. */
public final class DatabaseConverter implements ITypeConverter<StoreSchema.Database> {

  @Override
  public StoreSchema.Database convert(String text) {
    return switch (text) {
      case "h2" -> StoreSchema.Database.H2;
      case "mysql" -> StoreSchema.Database.MYSQL;
      default ->
          throw new TypeConversionException(
              "'" + text + "' is not h2 or mysql (use mysql for MariaDB too)");
    };
  }
}
