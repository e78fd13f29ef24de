package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console's parsers and formats, each by itself: what goes in, what comes out. */
@InBrowser
class FormatsTest {
  private static final String EVALUATE =
      """
      const done = arguments[0];
      import(watch.base() + 'core/%s.js').then((m) => {
        let value;
        try {
          value = %s;
        } catch (failure) {
          value = `Error: ${failure.message}`;
        }
        done(typeof value === 'string' ? value : JSON.stringify(value));
      }, (failure) => done(String(failure)));
      """;

  private static boolean isThere;

  /** Once for all: nothing here changes the page. */
  @BeforeEach
  void visit(Operator operator, ConsoleScene scene) {
    if (!isThere) {
      operator.visit(scene.url());
      isThere = true;
    }
  }

  /** What an expression makes of a module {@code m}: text as it is, other values as JSON. */
  private static String value(Operator operator, String module, String expression) {
    return String.valueOf(
        operator.browser().driver().executeAsyncScript(EVALUATE.formatted(module, expression)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          m.span(0)                       | 0 ms
          m.span(999)                     | 999 ms
          m.span(1250)                    | 1.2 s
          m.span(59999)                   | 59 s
          m.span(60000)                   | 1 min
          m.span(3599999)                 | 59 min 59 s
          m.span(5430000)                 | 1 h 30 min
          m.span(90000000)                | 1 d 1 h
          m.span(-5)                      | 0 ms
          m.millisOf('PT1H30M')           | 5400000
          m.millisOf('P1DT0.02S')         | 86400020
          m.millisOf('1h')                | null
          m.millisOf(undefined)           | null
          m.duration('PT0.5S')            | 500 ms
          m.duration(undefined)           | –
          m.number(1234567)               | 1,234,567
          m.measured(9.94)                | 9.9
          m.measured(12.3)                | 12
          m.counted(10000, true)          | 10,000+
          m.counted(10000, false)         | 10,000
          m.between('2030-01-01T00:00:00Z', '2030-01-01T00:00:05.25Z') | 5.2 s
          m.between(undefined, '2030-01-01T00:00:00Z')                 | –
          m.away('2030-01-01T00:00:00Z', Date.UTC(2030, 0, 1, 0, 1))   | 1 min ago
          m.away('2030-01-01T00:01:00Z', Date.UTC(2030, 0, 1))         | in 1 min
          m.fieldOf('nonsense')           | ``
          m.instantOf('') ?? null         | null
          m.instantOf(m.fieldOf('2030-01-02T03:04:05Z'))     | 2030-01-02T03:04:05.000Z
          m.instantOf(m.fieldOf('2030-07-02T03:04:05Z', 16)) | 2030-07-02T03:04:00.000Z
          """)
  void timeAndNumbersReadAsPeopleWriteThem(String expression, String text, Operator operator) {
    assertThat(value(operator, "format", expression)).isEqualTo(text);
  }

  @Test
  void jsonIsLaidOutAndEachValueKeepsItsDigits(Operator operator) {
    String json = "'{\"a\":[1,{}],\"b\":9007199254740993.10,\"c\":\"{,\\\\\"\"}'";

    assertThat(value(operator, "format", "m.prettyJson(" + json + ")"))
        .isEqualTo(
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": 9007199254740993.10,\n"
                + "  \"c\": \"{,\\\"\"\n}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          m.shortSpan('PT25H0.5S') | 1d 1h 500ms
          m.shortSpan('PT0S')      | 0s
          m.shortSpan(undefined)   | ``
          m.scheduleOf({kind: 'every', every: '1h 30m 500ms', times: '3'}) | {"every":"PT5400.5S","times":3}
          m.scheduleOf({kind: 'fixedDelay', fixedDelay: 'pt5s'})           | {"fixedDelay":"PT5S"}
          m.scheduleOf({kind: 'after', after: '2min'})                     | {"after":"PT120S"}
          m.scheduleOf({kind: 'cron', cron: '@daily', zone: 'UTC'})        | {"cron":"@daily","zone":"UTC"}
          m.scheduleOf({kind: 'now', cron: '@daily'})                      | {}
          m.scheduleOf({kind: 'every', every: '5 fortnights'}) | Error: “5 fortnights” is not a duration; write 90s, 1h 30m, 500ms.
          m.hasSameSchedule({kind: 'at', at: '1', x: '2'}, {kind: 'at', at: '1'}) | true
          m.hasSameSchedule({kind: 'at', at: '1'}, {kind: 'at', at: '2'})         | false
          m.newJob({kind: 'now', on: ' gpu, big  fast ', overlap: 'QUEUE'}).on      | ["gpu","big","fast"]
          m.newJob({kind: 'now', overlap: 'QUEUE'}).overlap                         | {"kind":"QUEUE","limit":10}
          m.newJob({kind: 'now', maxRetries: '0', firstDelay: '2s'}).retry          | {"maxRetries":0,"firstDelay":"PT2S"}
          """)
  void formIsReadAsAJob(String expression, String job, Operator operator) {
    assertThat(value(operator, "job-values", expression)).isEqualTo(job);
  }

  @Test
  void editKeepsWhatTheFormHoldsUnchanged(Operator operator) {
    String before =
        "{schedule: {every: 'PT0.0015S', at: '2030-01-01T00:00:00.123Z'},"
            + " params: {a: '1 '}, retry: {maxRetries: 3, jitter: 0.7}}";
    String began = "{kind: 'every', every: '1ms', at: '2030-01-01T00:00', params: 'a=1'}";

    assertThat(
            value(
                operator, "job-values", "m.editedJob(%s, %s, %s)".formatted(began, began, before)))
        .isEqualTo(value(operator, "job-values", "JSON.parse(JSON.stringify(" + before + "))"));
    String changed = began.replace("'1ms'", "'2s'");
    assertThat(
            value(
                operator,
                "job-values",
                "m.editedJob(%s, %s, %s).schedule".formatted(changed, began, before)))
        .isEqualTo("{\"every\":\"PT2S\",\"at\":\"2030-01-01T00:00:00.123Z\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                | ""
          {b: '2', a: '1'}  | "a=1\\nb=2"
          {a: 'x=y ', b: ''} | "a=x=y \\nb="
          {a: 'one\\ntwo'}  | "{\\n  \\"a\\": \\"one\\\\ntwo\\"\\n}"
          {' a': '1'}       | "{\\n  \\" a\\": \\"1\\"\\n}"
          {'a=b': '1'}      | "{\\n  \\"a=b\\": \\"1\\"\\n}"
          {'{a': '1'}       | "{\\n  \\"{a\\": \\"1\\"\\n}"
          {'': '1'}         | "{\\n  \\"\\": \\"1\\"\\n}"
          """)
  void parametersAreWrittenSoThatTheyAreReadTheSame(String values, String text, Operator operator) {
    assertThat(value(operator, "view", "JSON.stringify(m.writeParams(%s))".formatted(values)))
        .isEqualTo(text);

    String both =
        "[%1$s, m.readParams(m.writeParams(%1$s))].map((each) => Object.entries(each).sort())";
    assertThat(
            value(
                operator,
                "view",
                both.formatted(values)
                    + ".map((each) => JSON.stringify(each)).reduce((a, b) => a === b)"))
        .isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          m.readParams('a=1\\n\\n b =2')  | {"a":"1","b":"2"}
          m.readParams('a=1\\nnonsense')  | Error: Line 2 is not of the form name=value.
          m.readParams('=1')              | Error: Line 1 is not of the form name=value.
          m.readParams('{"a": 1}')        | Error: The value of “a” is not a string: put it in quotation marks.
          m.link(['/jobs/', '/', ''], 'a/b', 'ü') | #/jobs/a%2Fb/%C3%BC
          m.linkWith('/jobs', {a: 'x y', b: '', c: undefined}) | #/jobs?a=x+y
          m.linkWith('/jobs', {b: ''})    | #/jobs
          m.shortId('0f8fad5b-d9cb-469f-a165-70867728950e') | 0f8fad5b
          m.shortId('orders-1')           | orders-1
          """)
  void textOfPagesIsReadAndWritten(String expression, String text, Operator operator) {
    assertThat(value(operator, "view", expression)).isEqualTo(text);
  }

  @Test
  void searchesForTimeGoByTheClock(Operator operator) {
    String hours =
        "[m.lastNight()].map(({ from, to }) => [new Date(from).getHours(),"
            + " new Date(to).getHours(), (new Date(to) - new Date(from)) / 3600000 > 12])[0]";

    assertThat(value(operator, "search", hours)).isEqualTo("[18,8,true]");
    assertThat(
            value(
                operator,
                "search",
                "[{}, {a: '1'}].map((query) => m.unlessSearched(5)({ query }))"))
        .isEqualTo("[5,0]");
  }
}
