package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.constraint.FieldConstraints;
import com.cronutils.model.field.definition.FieldDefinition;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.visitor.ValidationFieldExpressionVisitor;
import com.cronutils.parser.CronParserField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads the text of one field. cron-utils parses it, one element of a list at a time. The pattern
 * checked before that accepts only text in the form of an element, because cron-utils answers some
 * malformed elements ({@code 5#}, {@code 1-5/}) with an index error and accepts others ({@code
 * +5}).
 */
final class CronFieldSyntax {
  private static final Pattern ELEMENT =
      Pattern.compile(
          "[*?]"
              + "|L(-[0-9]{1,2}|W)?"
              + "|[0-9]{1,2}W"
              + "|([0-9]|[A-Z]{3})(L|#[0-9])"
              + "|(\\*|([0-9]{1,4}|[A-Z]{3})(-([0-9]{1,4}|[A-Z]{3}))?)?(/[0-9]{1,4})?");

  private final CronFieldName name;
  private final String label;
  private final FieldConstraints constraints;
  private final CronParserField parser;

  CronFieldSyntax(FieldDefinition definition) {
    name = definition.getFieldName();
    label = name.name().toLowerCase(Locale.ROOT).replace('_', '-');
    constraints = definition.getConstraints();
    parser = new CronParserField(name, constraints);
  }

  CronFieldName name() {
    return name;
  }

  CronFieldValue parse(CronText.Part part) {
    List<FieldExpression> elements = new ArrayList<>();
    for (String element : part.text().split(",", -1)) {
      elements.add(parseElement(element, part));
    }
    return new CronFieldValue(label, part, elements, constraints);
  }

  private FieldExpression parseElement(String element, CronText.Part part) {
    if (element.isEmpty() || !ELEMENT.matcher(element).matches()) {
      throw invalid(part, "'" + printable(element) + "' is not a value, range or step");
    }
    try {
      FieldExpression expression = parser.parse(element).getExpression();
      return expression.accept(new ValidationFieldExpressionVisitor(constraints));
    } catch (IllegalArgumentException e) {
      InvalidScheduleException invalid = invalid(part, "'" + element + "': " + e.getMessage());
      invalid.initCause(e);
      throw invalid;
    }
  }

  private InvalidScheduleException invalid(CronText.Part part, String what) {
    return new InvalidScheduleException(label, part.position(), what);
  }

  /** Text that is safe in a log line: a cron text comes from outside. */
  private static String printable(String text) {
    return text.replaceAll("[^\\x21-\\x7e]", "?");
  }
}
