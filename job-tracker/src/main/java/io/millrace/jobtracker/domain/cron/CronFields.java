package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one expression.
 *
 * @param dialect decides what the numbers mean
 * @param values one for each field of the text
 */
record CronFields(CronDialect dialect, Map<CronFieldName, CronFieldValue> values) {

  /** A field that every dialect has. */
  CronFieldValue get(CronFieldName name) {
    return Objects.requireNonNull(values.get(name), () -> "no field " + name);
  }

  /** A field that may be left out. */
  @Nullable CronFieldValue find(CronFieldName name) {
    return values.get(name);
  }
}
