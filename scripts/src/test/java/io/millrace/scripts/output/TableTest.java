package io.millrace.scripts.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableTest {
  private record Row(String name, @Nullable Object value) {}

  private final StringWriter printed = new StringWriter();
  private final PrintWriter out = new PrintWriter(printed);
  private final Table<Row> table =
      new Table<Row>().number("COUNT", Row::value).text("NAME", Row::name);

  @Test
  void columnsAreAsWideAsWhatIsInThem() {
    table.on(out).print(List.of(new Row("a", 7), new Row("longer", 1_234_567)));

    assertThat(printed).hasToString("  COUNT  NAME\n      7  a\n1234567  longer\n");
  }

  @Test
  void laterPagesHaveNoHeadingsAndOnlyWidenColumns() {
    Table<Row>.Printer printer = table.on(out);

    printer.print(List.of(new Row("a", 7)));
    printer.print(List.of());
    printer.print(List.of(new Row("b", 1_234_567)));
    printer.print(List.of(new Row("c", 8)));

    assertThat(printed).hasToString("COUNT  NAME\n    7  a\n1234567  b\n      8  c\n");
  }

  @Test
  void nothingHasNoHeadings() {
    table.on(out).print(List.of());

    assertThat(printed).hasToString("");
  }

  @Test
  void wideCharactersCountTwice() {
    new Table<Row>()
        .text("NAME", Row::name)
        .text("V", Row::value)
        .on(out)
        .print(List.of(new Row("每日报表", 1), new Row("daily", 2), new Row("ﾊﾟ", 3)));

    assertThat(printed).hasToString("NAME      V\n每日报表  1\ndaily     2\nﾊﾟ        3\n");
  }

  @Test
  void valuesAreOneLineForPeople() {
    assertThat(Cell.of(null)).isEqualTo("-");
    assertThat(Cell.of(" ")).isEqualTo("-");
    assertThat(Cell.of("a\r\n\tb\u001b[31m")).isEqualTo("a b [31m");
    assertThat(Cell.of(Instant.parse("2026-03-01T12:00:00.123456Z")))
        .isEqualTo("2026-03-01T12:00:00.123Z");
    assertThat(Cell.of(true)).isEqualTo("yes");
    assertThat(Cell.of(List.of("a", 1))).isEqualTo("a, 1");
    assertThat(Cell.of(Duration.ofMillis(250))).isEqualTo("250ms");
    assertThat(Cell.of(Duration.ofSeconds(9))).isEqualTo("9s");
    assertThat(Cell.of(Duration.ofMillis(9_050))).isEqualTo("9.050s");
    assertThat(Cell.of(Duration.ofSeconds(90))).isEqualTo("1m30s");
    assertThat(Cell.of(Duration.ofHours(2))).isEqualTo("2h");
    assertThat(Cell.of(Duration.ofHours(51))).isEqualTo("2d3h");
    assertThat(Cell.of(Duration.ofSeconds(-90))).isEqualTo("-1m30s");
  }

  @Test
  void detailsLeaveOutWhatIsNotThere() {
    new Details().add("state", "ACTIVE").add("timeout", null).add("handler", "echo").print(out);

    assertThat(printed).hasToString("state    ACTIVE\nhandler  echo\n");
  }
}
