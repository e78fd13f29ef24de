package io.millrace.scripts.option.convert;

import io.millrace.scripts.api.ApiUrl;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the URL of a tracker's API. */
public final class ApiUrlConverter implements ITypeConverter<ApiUrl> {

  @Override
  public ApiUrl convert(String text) {
    try {
      return ApiUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
