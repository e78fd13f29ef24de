package io.millrace.scripts.option.convert;

import io.millrace.common.model.OverlapPolicy;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts overlap policies. The tracker checks the queue limit. */
public final class OverlapConverter implements ITypeConverter<OverlapPolicy> {
  private static final Pattern QUEUE = Pattern.compile("queue:(\\d{1,9})");

  @Override
  public OverlapPolicy convert(String value) {
    String text = value.strip().toLowerCase(Locale.ROOT);
    Matcher queue = QUEUE.matcher(text);
    if (queue.matches()) {
      return OverlapPolicy.queue(Integer.parseInt(queue.group(1)));
    }
    return switch (text) {
      case "allow" -> OverlapPolicy.allow();
      case "skip" -> OverlapPolicy.skip();
      default ->
          throw new TypeConversionException(
              "'" + value + "' is not an overlap policy: use allow, skip or queue:N");
    };
  }
}
