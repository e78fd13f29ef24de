package io.millrace.jobtracker.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.schedule.RandomCron;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronDescriptionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * * ?             | every second
          */2 * * * * ?           | every 2 seconds
          5 * * * * ?             | every minute at second 05
          0 0/5 * * * ?           | every 5 minutes
          */5 * * * *             | every 5 minutes
          0 0 * * * ?             | every hour
          7 5 * * * ?             | every hour at minute 5 and second 7
          0 15 */2 * * ?          | every 2 hours at minute 15
          0 0 9-17 * * ?          | every hour between 9 and 17
          0 0/5 9-17 * * ?        | every 5 minutes every hour between 9 and 17
          30 15 10 * * ?          | at 10:15:30, every day
          0 15 10 ? * MON-FRI     | at 10:15, every day between Monday and Friday
          0 0 0 ? * FRI-MON       | at 00:00, every day between Friday and Monday
          0 22 * * 5-7            | at 22:00, every day between Friday and Sunday
          0 0 0 1-7 * ?           | at 00:00, every day between 1 and 7
          0 0 0 L * ?             | at 00:00, last day of month
          0 0 0 L-3 * ?           | at 00:00, 3 days before the last day of the month
          0 0 0 L JAN-MAR ?       | at 00:00, last day of month, every month between January and March
          0 0 0 L 1 ? 2030-2040   | at 00:00, last day of month, in January, every year between 2030 and 2040
          """)
  void whatCronUtilsTellsWellIsInItsWords(String text, String english) {
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
  void whatCronUtilsTellsWronglyOrNotAtAllIsInOurs(String text, String english) {
    assertThat(CronExpression.parse(text).describe(Locale.ENGLISH)).isEqualTo(english);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0/5 * * * ?           | 每 5 分钟
          0 15 10 ? * MON-FRI     | 在 10:15，每 天 在星期一和星期五之间
          0 5/10 * * * ?          | 每小时的第 5、15……55 分
          0 0,30 8 * * ?          | 在 08:00、08:30，每天
          7 0/20 9-17 * * ?       | 9至17 点的第 0、20、40 分的第 7 秒
          0 0 0 LW 1,7 ?          | 在 00:00，在每月最后一个工作日，在一月、七月
          0 0 0 L-3 * ? 2030      | 在 00:00，该月最后一天的前3天，在 2030 年
          0 0 0 ? * 6#3,2L        | 在 00:00，在每月第 3 个星期五、每月最后一个星期一
          0 0 0 15W * ?           | 在 00:00，在离每月 15 日最近的工作日
          0 0 13 * 5              | 在 00:00，在每月 13 日，或在星期五
          0 0 */2 * FRI           | 在 00:00，在每月 1、3……31 日，且仅在星期五
          """)
  void chineseIsChinese(String text, String chinese) {
    assertThat(CronExpression.parse(text).describe(Locale.SIMPLIFIED_CHINESE)).isEqualTo(chinese);
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
