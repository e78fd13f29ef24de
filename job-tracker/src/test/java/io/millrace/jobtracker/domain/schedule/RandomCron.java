package io.millrace.jobtracker.domain.schedule;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Cron texts of every kind, from few numbers, so that many of them mean nearly the same. */
public final class RandomCron {
  private static final List<String> WEEKDAYS =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private final Random random;

  public RandomCron(Random random) {
    this.random = random;
  }

  /** A text that can be read. */
  public String next() {
    return random.nextInt(3) == 0 ? unix() : quartz();
  }

  private String unix() {
    return String.join(
        " ",
        mostly("0", () -> numbers(0, 59)),
        mostly("0", () -> numbers(0, 23)),
        mostly("*", () -> numbers(1, 31)),
        mostly("*", () -> numbers(1, 12)),
        mostly("*", () -> either(() -> numbers(0, 6), this::weekday, () -> "5-7")));
  }

  private String quartz() {
    String time =
        String.join(
            " ",
            mostly("0", () -> numbers(0, 59)),
            mostly("0", () -> numbers(0, 59)),
            mostly("*", () -> numbers(0, 23)));
    String month = mostly("*", () -> numbers(1, 12));
    String year = mostly("", () -> " " + numbers(2026, 2030));
    return random.nextBoolean()
        ? time + " " + mostly("*", this::daysOfMonth) + " " + month + " ?" + year
        : time + " ? " + month + " " + mostly("*", this::daysOfWeek) + year;
  }

  private String mostly(String usual, Supplier<String> otherwise) {
    return random.nextInt(3) == 0 ? otherwise.get() : usual;
  }

  private String daysOfMonth() {
    return either(
        () -> numbers(1, 31),
        () ->
            list(
                () ->
                    either(
                        () -> "L",
                        () -> "LW",
                        () -> "L-" + one(1, 3),
                        () -> one(1, 31) + "W",
                        () -> "" + one(1, 31))));
  }

  private String daysOfWeek() {
    return either(
        () -> numbers(1, 7),
        () -> weekday() + "-" + weekday(),
        () ->
            list(
                () ->
                    either(
                        () -> "L",
                        this::weekday,
                        () -> one(1, 7) + "L",
                        () -> weekday() + "#" + one(1, 5))));
  }

  private String numbers(int min, int max) {
    return either(
        () -> "*",
        () -> "" + one(min, max),
        () -> "" + min,
        () -> list(() -> "" + one(min, max)),
        () -> one(min, max) + "-" + one(min, max),
        () -> "*/" + one(1, 7),
        () -> one(min, max) + "/" + one(1, 7),
        () -> one(min, max) + "-" + one(min, max) + "/" + one(1, 4));
  }

  private String weekday() {
    return WEEKDAYS.get(random.nextInt(WEEKDAYS.size()));
  }

  private String list(Supplier<String> element) {
    return Stream.generate(element).limit(one(1, 3)).distinct().collect(Collectors.joining(","));
  }

  /** Mostly one of the first few numbers. */
  private int one(int min, int max) {
    int few = Math.min(max, min + 5);
    return min + random.nextInt((random.nextInt(4) == 0 ? max : few) - min + 1);
  }

  @SafeVarargs
  private String either(Supplier<String>... choices) {
    return choices[random.nextInt(choices.length)].get();
  }
}
