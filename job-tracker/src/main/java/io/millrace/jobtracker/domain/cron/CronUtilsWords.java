package io.millrace.jobtracker.domain.cron;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.field.CronField;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.SpecialChar;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an expression as described by cron-utils, where its description is correct and
 * readable. Left out is what version 9.2.1 describes wrongly: it drops the start of a step ({@code
 * 5/10} is "every 10 minutes"), the seconds beside a step, and the minutes of {@code * * 10}; it
 * takes {@code L} among the weekdays for a Sunday; it fails on lists of L, W and #. In Chinese it
 * calls {@code LW} the last <em>week</em>, and describes a range of minutes as its two ends.
 */
final class CronUtilsWords {
  /**
   * The {@linkplain #shape shapes} of hour, minute and second that it describes correctly: what
   * repeats evenly in every hour, a time of the day, even hours, and what repeats evenly in a range
   * of hours.
   */
  private static final Pattern TIMES =
      Pattern.compile(
          "\\*\\*[*0n/] | \\*[0n][0n] | \\*/0 | [0n][0n][*0n] | /[0n]0 | -[0/]0", Pattern.COMMENTS);

  private final CronFields fields;
  private final CronDescriptor descriptor;
  private final Map<CronFieldName, CronField> parsed;

  CronUtilsWords(CronFields fields, Locale locale) {
    this.fields = fields;
    this.descriptor = CronDescriptor.instance(locale);
    this.parsed = new EnumMap<>(CronFieldName.class);
    fields.values().forEach((name, value) -> parsed.put(name, firstOf(name, value)));
  }

  /**
   * The first element stands for a list; that is harmless, since lists are never described here.
   */
  private static CronField firstOf(CronFieldName name, CronFieldValue value) {
    return new CronField(name, value.elements().get(0), value.constraints());
  }

  Optional<String> time() {
    String shapes =
        ""
            + shape(CronFieldName.HOUR)
            + shape(CronFieldName.MINUTE)
            + (fields.find(CronFieldName.SECOND) == null ? '0' : shape(CronFieldName.SECOND));
    return TIMES.matcher(shapes).matches()
        ? normalized(descriptor.describeHHmmss(parsed))
        : Optional.empty();
  }

  Optional<String> dayOfMonth() {
    boolean last =
        element(CronFieldName.DAY_OF_MONTH) instanceof On on
            && on.getSpecialChar().getValue() == SpecialChar.L;
    return last || shape(CronFieldName.DAY_OF_MONTH) == '-'
        ? normalized(descriptor.describeDayOfMonth(parsed))
        : Optional.empty();
  }

  /** A range may wrap around the end of the week. */
  Optional<String> dayOfWeek() {
    FieldExpression element = element(CronFieldName.DAY_OF_WEEK);
    int days = fields.get(CronFieldName.DAY_OF_WEEK).numbers().cardinality();
    return element instanceof Between && days > 1 && days < 7
        ? normalized(
            descriptor.describeDayOfWeek(
                parsed, Map.of(CronFieldName.DAY_OF_WEEK, fields.dialect().definitionOfWeekday())))
        : Optional.empty();
  }

  Optional<String> month() {
    return shape(CronFieldName.MONTH) == '-'
        ? normalized(descriptor.describeMonth(parsed))
        : Optional.empty();
  }

  Optional<String> year() {
    return shape(CronFieldName.YEAR) == '-'
        ? normalized(descriptor.describeYear(parsed))
        : Optional.empty();
  }

  private static Optional<String> normalized(String text) {
    return Optional.of(text.strip().replaceAll("\\s+", " "));
  }

  /** The only element of a field; null if the field is a list or is missing. */
  private @Nullable FieldExpression element(CronFieldName name) {
    CronFieldValue field = fields.find(name);
    return field != null && field.elements().size() == 1 ? field.elements().get(0) : null;
  }

  /**
   * The shape of a field: {@code *} for all, {@code 0} for the number 0, {@code n} for another
   * number, {@code -} for a range that does not wrap around, {@code /} for a step from the first
   * number that divides them all evenly, {@code x} for anything else.
   */
  private char shape(CronFieldName name) {
    CronFieldValue field = fields.find(name);
    FieldExpression element = element(name);
    if (field == null || element == null) {
      return 'x';
    }
    if (field.isStar()) {
      return '*';
    }
    if (field.isPlainList()) {
      return field.numbers().get(0) ? '0' : 'n';
    }
    if (element instanceof Between between) {
      return goesUp(between) ? '-' : 'x';
    }
    return element instanceof Every every && isEven(every, field) ? '/' : 'x';
  }

  private static boolean goesUp(Between between) {
    return between.getFrom().getValue() instanceof Integer from
        && between.getTo().getValue() instanceof Integer to
        && from < to;
  }

  private static boolean isEven(Every every, CronFieldValue field) {
    int first = field.constraints().getStartRange();
    int count = field.constraints().getEndRange() - first + 1;
    int step = every.getPeriod().getValue();
    return step > 1
        && count % step == 0
        && field.numbers().cardinality() == count / step
        && field.numbers().get(first);
  }
}
