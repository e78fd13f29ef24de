package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.definition.FieldDefinition;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One of the two ways to write a cron expression. The definitions are those of cron-utils, with two
 * differences: ranges may wrap around in both, and years go on to {@link DayPattern#LAST_YEAR}
 * instead of 2099. Immutable and thread-safe.
 */
final class CronDialect {
  /** Minute, hour, day of month, month, day of week (0 and 7 are Sunday). */
  static final CronDialect UNIX = new CronDialect(unix(), 1);

  /** Second, minute, hour, day of month, month, day of week (1 is Sunday), optionally year. */
  static final CronDialect QUARTZ = new CronDialect(quartz(), 2);

  private final List<CronFieldSyntax> fields;
  private final int mondayValue;

  private CronDialect(CronDefinition definition, int mondayValue) {
    this.mondayValue = mondayValue;
    this.fields =
        definition.getFieldDefinitions().stream()
            .sorted(Comparator.comparingInt((FieldDefinition f) -> f.getFieldName().getOrder()))
            .map(CronFieldSyntax::new)
            .toList();
  }

  private static CronDefinition unix() {
    CronDefinitionBuilder unix = CronDefinitionBuilder.defineCron();
    unix.withMinutes().withValidRange(0, 59).and();
    unix.withHours().withValidRange(0, 23).and();
    unix.withDayOfMonth().withValidRange(1, 31).and();
    unix.withMonth().withValidRange(1, 12).and();
    unix.withDayOfWeek().withValidRange(0, 7).withMondayDoWValue(1).withIntMapping(7, 0).and();
    return unix.instance();
  }

  private static CronDefinition quartz() {
    CronDefinitionBuilder quartz = CronDefinitionBuilder.defineCron();
    quartz.withSeconds().withValidRange(0, 59).and();
    quartz.withMinutes().withValidRange(0, 59).and();
    quartz.withHours().withValidRange(0, 23).and();
    quartz
        .withDayOfMonth()
        .withValidRange(1, 31)
        .supportsL()
        .supportsW()
        .supportsLW()
        .supportsQuestionMark()
        .and();
    quartz.withMonth().withValidRange(1, 12).and();
    quartz
        .withDayOfWeek()
        .withValidRange(1, 7)
        .withMondayDoWValue(2)
        .supportsHash()
        .supportsL()
        .supportsQuestionMark()
        .and();
    quartz.withYear().withValidRange(DayPattern.FIRST_YEAR, DayPattern.LAST_YEAR).optional().and();
    return quartz.instance();
  }

  /** The dialect that has this number of fields: 5 is Unix, 6 and 7 are Quartz. */
  static CronDialect ofFieldCount(int count) {
    return count == 5 ? UNIX : QUARTZ;
  }

  /** The number that means Monday in a day-of-week field. */
  int mondayValue() {
    return mondayValue;
  }

  /** Reads each part as the field at its position. */
  CronFields parse(List<CronText.Part> parts) {
    Map<CronFieldName, CronFieldValue> values = new EnumMap<>(CronFieldName.class);
    for (int i = 0; i < parts.size(); i++) {
      CronFieldSyntax syntax = fields.get(i);
      values.put(syntax.name(), syntax.parse(parts.get(i)));
    }
    return new CronFields(this, values);
  }
}
