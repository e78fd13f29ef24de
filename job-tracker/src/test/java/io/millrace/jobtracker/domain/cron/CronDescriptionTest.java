package io.millrace.jobtracker.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.schedule.RandomCron;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronDescriptionTest {
  private static final List<String> SECONDS = List.of("*", "0", "7", "*/5", "3/4", "0,7,9");
  private static final Pattern HAN = Pattern.compile("\\p{IsHan}");
  private static final Pattern LATIN = Pattern.compile("[A-Za-z]");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * * ?             | every second
          */2 * * * * ?           | every 2 seconds
          5 * * * * ?             | every minute at second 5
          0 0/5 * * * ?           | every 5 minutes
          */5 * * * *             | every 5 minutes
          0 0 * * * ?             | every hour
          7 5 * * * ?             | every hour at minute 5 and second 7
          0 15 */2 * * ?          | every 2 hours at minute 15
          0 0 9-17 * * ?          | every hour from 09:00 to 17:00
          0 0/5 9-17 * * ?        | every 5 minutes from 09:00 to 17:55
          30 15 10 * * ?          | at 10:15:30, every day
          0 15 10 ? * MON-FRI     | at 10:15, on Monday to Friday
          0 0 0 ? * FRI-MON       | at 00:00, on Friday to Monday
          0 22 * * 5-7            | at 22:00, on Friday to Sunday
          0 0 0 1-7 * ?           | at 00:00, on days 1 to 7 of the month
          0 0 0 L * ?             | at 00:00, on the last day of the month
          0 0 0 L-3 * ?           | at 00:00, on the day 3 days before the last day of the month
          0 0 0 L JAN-MAR ?       | at 00:00, on the last day of the month, in January to March
          0 0 0 L 1 ? 2030-2040   | at 00:00, on the last day of the month, in January, in 2030 to 2040
          """)
  void whatRepeatsOrLiesWithinRangesIsToldShortly(String text, String english) {
    assertThat(CronExpression.parse(text).describe(Locale.ENGLISH)).isEqualTo(english);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 5/10 * * * ?          | at minutes 5, 15 ... 55 of every hour
          0 */7 * * * ?           | at minutes 0, 7 ... 56 of every hour
          30 */5 * * * ?          | at second 30 of minutes 0, 5 ... 55 of every hour
          7 15 */2 * * ?          | at second 7 of minute 15 of hours 0, 2 ... 22
          * * 10 * * ?            | every second of every minute of hour 10, every day
          0 10-20 10 * * ?        | at minutes 10 to 20 of hour 10, every day
          0 55-5 * * * ?          | at minutes 0 to 5 and 55 to 59 of every hour
          0 0,30 8,12 * * ?       | at 08:00, 08:30, 12:00 and 12:30, every day
          0 0 9-17/2 * * ?        | at minute 0 of hours 9, 11 ... 17
          0 1-59/2,0 * * * ?      | at minutes "1-59/2,0" of every hour
          0 0 0 1,15W,L * ?       | at 00:00, on day 1 of the month, the weekday nearest to day 15 of the month and the last day of the month
          0 0 0 */2 * ?           | at 00:00, on days 1, 3 ... 31 of the month
          0 0 0 LW * ?            | at 00:00, on the last weekday of the month
          0 0 0 ? * L             | at 00:00, on Saturday
          0 0 0 ? * 6#3           | at 00:00, on the 3rd Friday of the month
          0 0 0 ? * MON#1,FRIL    | at 00:00, on the 1st Monday of the month and the last Friday of the month
          0 0 0 ? * MON-FRI/2     | at 00:00, on Monday, Wednesday and Friday
          0 0 13 * 5              | at 00:00, on day 13 of the month, or on Friday
          0 0 */2 * FRI           | at 00:00, on days 1, 3 ... 31 of the month, but only on Friday
          0 0 0 1 */3 ? 2030/10   | at 00:00, on day 1 of the month, in January, April, July and October, in 2030, 2040 ... 9990
          @yearly                 | at 00:00, on day 1 of the month, in January
          @weekly                 | at 00:00, on Sunday
          @midnight               | at 00:00, every day
          @hourly                 | every hour
          """)
  void listsAndUnevenStepsAndSpecialDaysAreNamed(String text, String english) {
    assertThat(CronExpression.parse(text).describe(Locale.ENGLISH)).isEqualTo(english);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0/5 * * * ?           | 每 5 分钟
          0 15 10 ? * MON-FRI     | 周一至周五 10:15
          0 5/10 * * * ?          | 每小时第 5、15……55 分
          0 0,30 8 * * ?          | 每天 08:00、08:30
          7 0/20 9-17 * * ?       | 9 至 17 点第 0、20、40 分第 7 秒
          0 0 0 LW 1,7 ?          | 一月、七月每月最后一个工作日 00:00
          0 0 0 L-3 * ? 2030      | 2030 年每月最后一天前第 3 天 00:00
          0 0 0 ? * 6#3,2L        | 每月第 3 个周五、最后一个周一 00:00
          0 0 0 15W * ?           | 每月最接近 15 日的工作日 00:00
          0 0 13 * 5              | 每月 13 日或每周五 00:00
          0 0 */2 * FRI           | 每月 1、3……31 日中的周五 00:00
          0 0 */2 1 FRI           | 每年一月 1、3……31 日中的周五 00:00
          0 0 13 1 5              | 每年一月，13 日或每周五 00:00
          0 0 1,15 6-8 1-5        | 六月至八月，每月 1、15 日或周一至周五 00:00
          0 0/5 * ? 1,7 *         | 一月、七月每 5 分钟
          0 0 12 * 5 ?            | 每年五月每天 12:00
          0 0 12 ? 5 FRI          | 每年五月每周五 12:00
          0 0 6 ? * TUE,6#3,2L    | 每周二、每月第 3 个周五、最后一个周一 06:00
          0 0 6 1,15W,L * ?       | 每月 1 日、最接近 15 日的工作日、最后一天 06:00
          0 0 6 L-1 2 ?           | 每年二月倒数第 2 天 06:00
          0 0 6 ? 1,7 2L 2030     | 2030 年一月、七月每月最后一个周一 06:00
          0 0/5 9-17 ? * MON-FRI  | 周一至周五 09:00 至 17:55 每 5 分钟
          * * 10 * * ?            | 每天 10 点每分钟每秒
          0 1-59/2,0 * * * ?      | 每小时第 "1-59/2,0" 分
          @yearly                 | 每年一月 1 日 00:00
          @weekly                 | 每周日 00:00
          """)
  void chineseIsChinese(String text, String chinese) {
    assertThat(CronExpression.parse(text).describe(Locale.SIMPLIFIED_CHINESE)).isEqualTo(chinese);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          @hourly                 | every hour                                   | 每小时
          @daily                  | at 00:00, every day                          | 每天 00:00
          @monthly                | at 00:00, on day 1 of the month              | 每月 1 日 00:00
          0/15 * * * * ?          | every 15 seconds                             | 每 15 秒
          * * * * *               | every minute                                 | 每分钟
          0,15,30,45 * * * *      | every 15 minutes                             | 每 15 分钟
          5 * * * * ?             | every minute at second 5                     | 每分钟第 5 秒
          0 20 * * * ?            | every hour at minute 20                      | 每小时第 20 分
          7 0 * * * ?             | every hour at minute 0 and second 7          | 每小时第 0 分第 7 秒
          0 */4 * * *             | every 4 hours                                | 每 4 小时
          30 */6 * * *            | every 6 hours at minute 30                   | 每 6 小时第 30 分
          0 30 9-17 * * ?         | every hour from 09:30 to 17:30               | 09:30 至 17:30 每小时
          0 * 9-17 * * ?          | every minute from 09:00 to 17:59             | 09:00 至 17:59 每分钟
          */10 8 * * *            | at 08:00, 08:10, 08:20, 08:30, 08:40 and 08:50, every day | 每天 08:00、08:10、08:20、08:30、08:40、08:50
          */5 8 * * *             | every 5 minutes from 08:00 to 08:55, every day | 每天 08:00 至 08:55 每 5 分钟
          0 0 9-9 * * ?           | at minute 0 of hour 9                        | 9 点第 0 分
          0 22-2 * * *            | at minute 0 of hours 0 to 2, 22 and 23       | 0 至 2、22、23 点第 0 分
          30 * 9-17 * * ?         | at second 30 of every minute of hours 9 to 17 | 9 至 17 点每分钟第 30 秒
          0 0 8-18/2 ? * MON-FRI  | at minute 0 of hours 8, 10 ... 18, on Monday to Friday | 周一至周五 8、10……18 点第 0 分
          0 9 * * 1-5             | at 09:00, on Monday to Friday                | 周一至周五 09:00
          0 9 * * SAT,SUN         | at 09:00, on Saturday and Sunday             | 周六、周日 09:00
          0 9 * * SUN,MON,WED     | at 09:00, on Sunday, Monday and Wednesday    | 周日、周一、周三 09:00
          0 9 * * 0-6             | at 09:00, on Monday to Sunday                | 周一至周日 09:00
          0 9 1-7 * 1             | at 09:00, on days 1 to 7 of the month, or on Monday | 每月 1 至 7 日或每周一 09:00
          0 0 6 L-1 * ?           | at 06:00, on the day before the last day of the month | 每月倒数第 2 天 06:00
          0 0 6 1 1,4,7,10 ?      | at 06:00, on day 1 of the month, in January, April, July and October | 一月、四月、七月、十月每月 1 日 06:00
          0 0 6 ? JUN-AUG 2#1     | at 06:00, on the 1st Monday of the month, in June to August | 六月至八月每月第 1 个周一 06:00
          0 0 6 1 1 ? 2030,2032   | at 06:00, on day 1 of the month, in January, in 2030 and 2032 | 2030、2032 年一月 1 日 06:00
          """)
  void typicalExpressions(String text, String english, String chinese) {
    CronExpression expression = CronExpression.parse(text);
    assertThat(expression.describe(Locale.ENGLISH)).isEqualTo(english);
    assertThat(expression.describe(Locale.CHINESE)).isEqualTo(chinese);
  }

  @Test
  void everyFormOfEveryFieldHasWordsInItsLanguage() {
    List<String> texts = new ArrayList<>(expressions(List.of("3/4")));
    texts.addAll(product(SECONDS, List.of("* * * * ?", "0 7 L 2 ?", "5-9 */6 ? * L")));
    assertHaveWordsInTheirLanguage(texts, 3_000);
  }

  @Test
  @Tag("long")
  void everyFormOfSecondsHasWordsBesideEveryFormOfTheOtherFields() {
    assertHaveWordsInTheirLanguage(expressions(SECONDS), 10_000);
  }

  /** Every form of the fields behind the seconds, with each other and with these. */
  private static List<String> expressions(List<String> seconds) {
    List<String> minutes =
        List.of("*", "0", "7", "*/1", "*/5", "0/7", "3/4", "5-9", "9-5", "1-9/3", "9-1/2", "0,7,9");
    List<String> hours = List.of("*", "0", "7", "*/6", "2/5", "9-17", "22-2", "1-9/3", "0,1,5-7");
    List<String> daysOfQuartz =
        List.of("* * ?", "*/2 * ?", "1-31 * ?", "L 2 ?", "L-1 */5 ?", "LW,15W,L-30,9 6-2 ?")
            .stream()
            .flatMap(days -> Stream.of(days, days + " 2030", days + " */7"))
            .collect(Collectors.toCollection(ArrayList::new));
    daysOfQuartz.addAll(List.of("? * L", "? 2 1-7", "? * 6-2", "? JAN 2L,6#5,TUE", "? * 2/3 2030"));
    List<String> daysOfUnix =
        List.of("* * *", "1 * 0", "*/3 1-3 5-7", "*/9 * */2", "1-7 * SUN-TUE", "31 2 SAT,7");

    List<String> texts = new ArrayList<>();
    for (String time : product(minutes, hours)) {
      texts.addAll(product(List.of(time), daysOfUnix));
      texts.addAll(product(seconds, product(List.of(time), daysOfQuartz)));
    }
    return texts;
  }

  private static void assertHaveWordsInTheirLanguage(List<String> texts, int atLeast) {
    assertThat(texts).hasSizeGreaterThan(atLeast);
    for (String text : texts) {
      CronExpression expression = CronExpression.parse(text);
      String english = expression.describe(Locale.ENGLISH);
      String chinese = expression.describe(Locale.CHINESE);
      assertThat(english).as(text).isNotBlank().doesNotContain("null", "{", "  ");
      assertThat(HAN.matcher(english).find()).as("%s: %s", text, english).isFalse();
      assertThat(chinese).as(text).isNotBlank().doesNotContain("null", "{", "  ");
      assertThat(LATIN.matcher(chinese).find()).as("%s: %s", text, chinese).isFalse();
    }
  }

  private static List<String> product(List<String> first, List<String> second) {
    return first.stream().flatMap(a -> second.stream().map(b -> a + " " + b)).toList();
  }

  @Test
  void languageIsThatOfTheLocaleAskedForAndNotOfTheMachine() {
    CronExpression expression = CronExpression.parse("0 0/5 * * * ?");
    Locale before = Locale.getDefault();
    try {
      for (Locale machine : List.of(Locale.CHINA, Locale.GERMANY, Locale.US, Locale.ROOT)) {
        Locale.setDefault(machine);
        assertThat(expression.describe(Locale.ENGLISH)).isEqualTo("every 5 minutes");
        assertThat(expression.describe(Locale.FRENCH)).isEqualTo("every 5 minutes");
        assertThat(expression.describe(Locale.CHINESE)).isEqualTo("每 5 分钟");
        assertThat(expression.describe(Locale.TAIWAN)).isEqualTo("每 5 分钟");
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  /** So no part of an expression is dropped, and none is told as what it is not. */
  @Test
  void expressionsThatDifferInMeaningDifferInWords() {
    for (Locale language : List.of(Locale.ENGLISH, Locale.CHINESE)) {
      Map<String, String> textOf = new HashMap<>();
      RandomCron random = new RandomCron(new Random(7));
      int pairs = 0;
      for (int i = 0; i < 3_000; i++) {
        String text = random.next();
        String words = CronExpression.parse(text).describe(language);
        assertThat(words).as(text).isNotBlank().doesNotContain("%", "replace", " -1", "null", "  ");
        String other = textOf.putIfAbsent(words, text);
        if (other != null && !other.equals(text)) {
          pairs++;
          assertThat(meaning(text))
              .as("%s and %s: %s", other, text, words)
              .isEqualTo(meaning(other));
        }
      }
      assertThat(pairs).isGreaterThan(300);
    }
  }

  /** The times of a day, and the days of eight years. */
  private static List<Object> meaning(String text) {
    List<CronText.Part> parts = CronText.parts(text);
    CronFields fields = CronDialect.ofFieldCount(parts.size()).parse(parts);
    DayPattern pattern = new DayPattern(fields);
    long end = LocalDate.of(2032, 1, 1).toEpochDay();
    int hash = 0;
    for (long day = pattern.nextFrom(LocalDate.of(2024, 1, 1).toEpochDay());
        day != DayPattern.NONE && day < end;
        day = pattern.nextFrom(day + 1)) {
      hash = 31 * hash + Long.hashCode(day);
    }
    return List.of(TimePattern.of(fields), hash);
  }
}
