package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.constraint.FieldConstraints;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.expression.QuestionMark;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.model.field.value.SpecialChar;
import java.util.BitSet;
import java.util.List;

/**
 * One field of an expression as parsed by cron-utils, and the set of numbers it names.
 *
 * @param label name of the field for messages
 * @param part the text it was parsed from
 * @param elements the elements of its list, at least one
 * @param constraints the numbers it may take
 */
record CronFieldValue(
    String label,
    CronText.Part part,
    List<FieldExpression> elements,
    FieldConstraints constraints) {

  /** Whether the field is {@code *} and nothing else. */
  boolean isStar() {
    return elements.size() == 1 && elements.get(0) instanceof Always;
  }

  /** Whether the field is {@code ?} and nothing else. */
  boolean isQuestionMark() {
    return elements.size() == 1 && elements.get(0) instanceof QuestionMark;
  }

  /** Whether the field names every number it may take. */
  boolean isComplete() {
    int count = constraints.getEndRange() - constraints.getStartRange() + 1;
    return isStar() || numbers().cardinality() == count;
  }

  /** Whether every element is a plain number or name. */
  boolean isPlainList() {
    return elements.stream().allMatch(CronFieldValue::isPlain);
  }

  /** The elements with L, W or #, which name no numbers by themselves. */
  List<On> specials() {
    return elements.stream()
        .filter(element -> element instanceof On && !isPlain(element))
        .map(On.class::cast)
        .toList();
  }

  /** The numbers that the other elements name. */
  BitSet numbers() {
    BitSet numbers = new BitSet();
    for (FieldExpression element : elements) {
      if (element instanceof Every every) {
        addSteps(every, numbers);
      } else if (element instanceof Between between) {
        addRange(number(between.getFrom()), number(between.getTo()), 1, numbers);
      } else if (element instanceof Always) {
        addRange(constraints.getStartRange(), constraints.getEndRange(), 1, numbers);
      } else if (isPlain(element)) {
        numbers.set(((On) element).getTime().getValue());
      } else if (element instanceof QuestionMark) {
        throw invalid("'?' cannot be combined with other values");
      }
    }
    return numbers;
  }

  InvalidScheduleException invalid(String what) {
    return new InvalidScheduleException(label, part.position(), what);
  }

  private static boolean isPlain(FieldExpression element) {
    return element instanceof On on && on.getSpecialChar().getValue() == SpecialChar.NONE;
  }

  private void addSteps(Every every, BitSet numbers) {
    int from = constraints.getStartRange();
    int to = constraints.getEndRange();
    if (every.getExpression() instanceof Between between) {
      from = number(between.getFrom());
      to = number(between.getTo());
    } else if (every.getExpression() instanceof On on) {
      from = on.getTime().getValue();
    }
    addRange(from, to, every.getPeriod().getValue(), numbers);
  }

  /** Adds every step-th number of a range; a range that ends below its beginning wraps around. */
  private void addRange(int from, int to, int step, BitSet numbers) {
    int first = constraints.getStartRange();
    int last = constraints.getEndRange();
    // In a Unix day of week 7 is another name for 0, so the week still has seven numbers.
    int cycle = last - first + (constraints.getIntMappingValue(last) == null ? 1 : 0);
    int end = to < from ? to + cycle : to;
    for (int number = from; number <= end; number += step) {
      numbers.set((number - first) % cycle + first);
    }
  }

  private int number(FieldValue<?> value) {
    if (value.getValue() instanceof Integer number) {
      return number;
    }
    throw invalid("a range must be between two numbers or names");
  }
}
