package io.millrace.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.internal.config.SettingKey.Presence;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;

  @Test
  void valuesAreReadByTheirTypes() {
    Settings settings =
        parse(
            """
            # a comment
            name = Fräse
            on = TRUE
            threads = 8
            rows = 9000000000
            park = 250ms
            frame = 1MiB
            unit = milliseconds
            file = data/millrace.db
            """);

    assertThat(settings.string("name", "x")).isEqualTo("Fräse");
    assertThat(settings.bool("on", false)).isTrue();
    assertThat(settings.integer("threads", 1, Bounds.atLeast(1))).isEqualTo(8);
    assertThat(settings.longInteger("rows", 1, Bounds.atLeast(1L))).isEqualTo(9_000_000_000L);
    assertThat(settings.duration("park", SECOND)).isEqualTo(Duration.ofMillis(250));
    assertThat(settings.byteSize("frame", 1, Bounds.atLeast(1L))).isEqualTo(1 << 20);
    assertThat(settings.enumeration("unit", TimeUnit.DAYS)).isEqualTo(TimeUnit.MILLISECONDS);
    assertThat(settings.path("file", Path.of("x"))).isEqualTo(Path.of("data/millrace.db"));
    settings.finish();
  }

  @Test
  void whatIsLeftOutHasItsDefault() {
    Settings settings = parse("");

    assertThat(settings.duration("park", SECOND)).isEqualTo(SECOND);
    assertThat(settings.optional("pool", ValueTypes.INTEGER)).isEmpty();
    settings.finish();
  }

  @Test
  void everythingWrongIsReportedAtOnceAndInTheOrderOfTheLines() {
    Settings settings =
        parse(
            """
            pull.prak = 2s
            threads = many

            park = 1 fortnight
            threads = 4
            frame = 2GiB
            bad = \\u12
            """);
    settings.integer("threads", 1, Bounds.atLeast(1));
    settings.duration("park", SECOND);
    settings.duration("pull.park", SECOND);
    settings.byteSize("frame", 1 << 20, Bounds.atMost(16L << 20));
    settings.required("nodeGroup", ValueTypes.STRING);

    assertThat(problems(settings))
        .containsExactly(
            "line 1: unknown key pull.prak; did you mean pull.park?",
            "line 4: park must be a duration, such as 500ms, 10s, 5m, 1h or PT1H30M,"
                + " but is '1 fortnight'",
            "line 5: threads is set twice, first on line 2",
            "line 6: frame must be at most 16MiB, but is '2GiB'",
            "line 7: \\u must be followed by four hexadecimal digits",
            "nodeGroup is required (string)");
  }

  @Test
  void badValueReadsAsItsDefaultUntilTheEnd() {
    Settings settings = parse("threads = many");

    assertThat(settings.integer("threads", 3, Bounds.atLeast(1))).isEqualTo(3);
    assertThat(problems(settings)).singleElement().asString().contains("but is 'many'");
  }

  @Test
  void messageNamesTheSourceAndEveryProblem() {
    Settings settings = Settings.parse("node.properties", "a = 1\nb = 2");

    assertThatThrownBy(settings::finish)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            """
            node.properties is invalid:
              line 1: unknown key a
              line 2: unknown key b\
            """);
  }

  @Test
  void bothEndsOfTheBoundsAreAllowed() {
    Bounds<Integer> bounds = Bounds.between(1, 64);
    Settings settings = parse("a = 1\nb = 64\nc = 0\nd = 65");
    for (String key : List.of("a", "b", "c", "d")) {
      settings.integer(key, 8, bounds);
    }

    assertThat(problems(settings))
        .containsExactly(
            "line 3: c must be between 1 and 64, but is '0'",
            "line 4: d must be between 1 and 64, but is '65'");
  }

  @Test
  void secretIsShownNowhere() {
    Settings settings = parse("token = s3cr3t-value\ntokens = s3cr3t-value, \npass =\n");
    Secret token = settings.required("token", ValueTypes.SECRET);
    settings.required("tokens", ValueTypes.listOf(ValueTypes.SECRET));
    settings.get("pass", ValueTypes.SECRET, Secret.of("s3cr3t-value"));

    assertThat(token.reveal()).isEqualTo("s3cr3t-value");
    assertThat(settings.keys().toString()).doesNotContain("s3cr3t");
    assertThat(problems(settings))
        .hasSize(2)
        .noneMatch(problem -> problem.contains("s3cr3t"))
        .contains("line 3: pass must not be blank, but is '***'");
  }

  @Test
  void secretOfAMisspelledKeyIsNotShownEither() {
    Settings settings = parse("tokne = s3cr3t-value");
    settings.optional("token", ValueTypes.SECRET);

    assertThat(problems(settings))
        .containsExactly("line 1: unknown key tokne; did you mean token?");
  }

  @Test
  void everyKeyAskedForIsKnownWithItsTypeAndDefault() {
    Settings settings = Settings.of("defaults", Map.of());
    settings.duration("pull.park", SECOND);
    settings.byteSize("frame", 1 << 20, Bounds.atLeast(1L));
    settings.required("nodeGroup", ValueTypes.STRING);
    settings.optional("rows", ValueTypes.listOf(ValueTypes.INTEGER));
    settings.enumeration("unit", TimeUnit.DAYS);

    assertThat(settings.keys())
        .startsWith(
            new SettingKey("pull.park", "duration", Presence.DEFAULTED, "1s"),
            new SettingKey("frame", "byte size", Presence.DEFAULTED, "1MiB"),
            new SettingKey("nodeGroup", "string", Presence.REQUIRED, null),
            new SettingKey("rows", "list of integer", Presence.OPTIONAL, null))
        .last()
        .satisfies(key -> assertThat(key.type()).startsWith("one of nanoseconds, "))
        .satisfies(key -> assertThat(key.defaultText()).isEqualTo("days"));
  }

  @Test
  void sameKeyMayBeAskedForTwiceButOnlyInOneWay() {
    Settings settings = parse("");
    settings.duration("park", SECOND);
    settings.duration("park", SECOND);

    assertThatIllegalStateException()
        .isThrownBy(() -> settings.duration("park", SECOND.plusMillis(1)))
        .withMessageContaining("park");
    assertThat(settings.keys()).hasSize(1);
  }

  @Test
  void defaultOutOfItsOwnBoundsIsAMistakeOfTheProgram() {
    assertThatIllegalStateException()
        .isThrownBy(() -> parse("").integer("threads", 0, Bounds.atLeast(1)))
        .withMessageContaining("threads");
  }

  @Test
  void problemOfSeveralKeysIsReportedWithTheOthers() {
    Settings settings = parse("# tls\ntls.key = a.pem");
    settings.optional("tls.key", ValueTypes.PATH);
    settings.reject("tls.key", "needs tls.certificate as well");

    assertThat(problems(settings)).containsExactly("line 2: tls.key needs tls.certificate as well");
  }

  @Test
  void recordIsReadAndReturned() {
    assertThat(parse("slots = 4").finish(Slots::from)).isEqualTo(new Slots(4));
  }

  @Test
  void whatTheRecordRefusesIsAProblem() {
    ConfigException failure =
        catchThrowableOfType(
            ConfigException.class, () -> parse("slots = 3\nmore = 1").finish(Slots::from));

    assertThat(failure.problems()).containsExactly("slots must be even");
  }

  @Test
  void recordThatRefusesAPlaceholderDoesNotHideTheMissingKey() {
    ConfigException failure =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                parse("")
                    .finish(
                        settings -> Path.of(settings.required("file", ValueTypes.STRING) + "\0")));

    assertThat(failure.problems()).containsExactly("file is required (string)");
  }

  @Test
  void unknownKeyFailsARecordThatIsFine() {
    ConfigException failure =
        catchThrowableOfType(
            ConfigException.class, () -> parse("slots = 4\nslot = 4").finish(Slots::from));

    assertThat(failure.problems()).containsExactly("line 2: unknown key slot; did you mean slots?");
  }

  @Test
  void mapIsReadWithoutLines() {
    Settings settings = Settings.of("command line", Map.of("slots", " four "));
    settings.integer("slots", 1, Bounds.atLeast(1));

    assertThat(problems(settings)).singleElement().asString().startsWith("slots must be a whole");
  }

  @Test
  void fileIsReadAsUtf8WithOrWithoutAMark() throws Exception {
    Path file = directory.resolve("node.properties");
    Files.writeString(file, "\uFEFFname = 磨坊\r\nother=x\r\n");
    Settings settings = Settings.load(file);

    assertThat(settings.string("name", "")).isEqualTo("磨坊");
    assertThat(settings.string("other", "")).isEqualTo("x");
    settings.finish();
  }

  @Test
  void fileThatIsMissingOrNoTextIsNamed() throws Exception {
    Path missing = directory.resolve("missing.properties");
    Path latin = directory.resolve("latin.properties");
    Files.write(latin, "name = Fräse".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> Settings.load(missing))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("missing.properties")
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(() -> Settings.load(latin))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("latin.properties")
        .hasMessageContaining("UTF-8");
  }

  private record Slots(int count) {
    Slots {
      if (count % 2 != 0) {
        throw new IllegalArgumentException("slots must be even");
      }
    }

    static Slots from(Settings settings) {
      return new Slots(settings.integer("slots", 2, Bounds.atLeast(1)));
    }
  }

  private static Settings parse(String text) {
    return Settings.parse("test", text);
  }

  private static List<String> problems(Settings settings) {
    return catchThrowableOfType(ConfigException.class, settings::finish).problems();
  }
}
