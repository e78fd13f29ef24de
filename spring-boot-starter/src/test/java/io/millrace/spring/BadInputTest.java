package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.JobStatus;
import io.millrace.api.SubmitResult;
import io.millrace.api.TriggerResult;
import io.millrace.api.ValueMapper;
import io.millrace.jobclient.JobClient;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Jobs that a handler cannot take, and results that cannot be kept: who says what, and where. */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = "spring.application.name=shop")
class BadInputTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final TestTracker TRACKER = TestTracker.start();

  @DynamicPropertySource
  static void tracker(DynamicPropertyRegistry properties) {
    properties.add("millrace.trackers", TRACKER::address);
  }

  @AfterAll
  static void close() {
    TRACKER.close();
  }

  enum Colour {
    RED
  }

  record Line(String article, int count) {}

  /** A result that no Jackson can write. */
  public static class Broken {
    public String getNumber() {
      throw new IllegalStateException("the receipt has no number");
    }
  }

  /** A result without an end. */
  public static class Cycle {
    private final Cycle next;

    Cycle(Cycle before) {
      this.next = before == null ? new Cycle(this) : before;
    }

    public Cycle getNext() {
      return next;
    }
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {

    @MillraceJob("typed")
    int typed(
        int count,
        Optional<Colour> colour,
        Optional<LocalDate> day,
        Optional<List<Line>> lines,
        Optional<Boolean> gift) {
      return count;
    }

    @MillraceJob("large")
    String large(int characters) {
      return "x".repeat(characters);
    }

    @MillraceJob("broken")
    Broken broken() {
      return new Broken();
    }

    @MillraceJob("cyclic")
    Cycle cyclic() {
      return new Cycle(null);
    }
  }

  @Autowired private JobClient client;

  private TriggerResult run(Job.Builder job) {
    return client.await(client.submit(job.build()), PATIENCE);
  }

  private void assertUnfit(String parameter, Object value, String type) {
    String id = "unfit-" + parameter;
    Job.Builder job = Job.builder("shop", id).handler("typed").param("count", 1);
    TriggerResult end = run(job.param(parameter, value));

    assertThat(end.disposition()).as(parameter).isEqualTo(Disposition.DEAD);
    assertThat(end.attempt()).as(parameter).isEqualTo(1);
    assertThat(end.message())
        .contains("job shop/" + id + ": parameter " + parameter + " does not fit " + type);
  }

  @Test
  void parameterThatDoesNotFitItsTypeIsNamed() {
    assertUnfit("count", "many", "int");
    assertUnfit("count", "2147483648", "int");
    assertUnfit("count", "[1]", "int");
    assertUnfit("count", "null", "int");
    assertUnfit("colour", "GREEN", Colour.class.getName());
    assertUnfit("day", "2026-02-30", LocalDate.class.getName());
    assertUnfit("gift", "perhaps", Boolean.class.getName());
    assertUnfit("lines", "{\"article\":\"tea\",\"count\":1}", "java.util.List<");
    assertUnfit("lines", "[{\"article\":\"tea\",\"count\":\"two\"}]", "java.util.List<");
  }

  @Test
  void resultThatIsTooLargeIsNamedAndNotRetried() {
    TriggerResult end =
        run(Job.builder("shop", "large").handler("large").param("characters", 65_535));

    assertFailed(end, "a java.lang.String, cannot be kept: it has 65537 bytes of UTF-8");
    assertThat(end.message()).contains("at most 65536 are allowed");
    assertThat(
            run(Job.builder("shop", "large").handler("large").param("characters", 65_534)).result())
        .hasSize(65_536);
  }

  @Test
  void resultThatCannotBeWrittenIsNamedAndNotRetried() {
    TriggerResult end = run(Job.builder("shop", "broken").handler("broken"));
    assertFailed(end, "a " + Broken.class.getName() + ", cannot be kept: it has no JSON form: ");
    assertThat(end.message()).contains("the receipt has no number");
    assertFailed(
        run(Job.builder("shop", "cyclic").handler("cyclic")),
        "a " + Cycle.class.getName() + ", cannot be kept: it has no JSON form: ");
  }

  private static void assertFailed(TriggerResult end, String message) {
    assertThat(end.disposition()).isEqualTo(Disposition.FAILED);
    assertThat(end.attempt()).isEqualTo(1);
    assertThat(end.message())
        .startsWith("the job ended without an error, but its result, ")
        .contains(message);
    assertThat(end.result()).isNull();
  }

  @Test
  void jobOfAnUnknownHandlerWaitsAndSaysWhichOnesThereAre() {
    SubmitResult submitted =
        client.submit(Job.builder("shop", "unknown").handler("refund").retry(0).build());
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(client.explain("shop", "unknown").facts().toString())
                    .contains(
                        "no runner for handler 'refund': this worker has"
                            + " broken, cyclic, large, typed"));

    assertThat(client.status(submitted.handle()).state()).isEqualTo(JobStatus.State.WAITING);
    client.cancel("shop", "unknown");
    assertThat(client.await(submitted, PATIENCE).disposition()).isEqualTo(Disposition.CANCELLED);
  }

  /** No {@code @Configuration}: it would be a part of the application above. */
  @EnableAutoConfiguration
  static class WithMapperOfNoJson {

    @Bean
    ValueMapper mapper() {
      return new ValueMapper() {
        @Override
        public String toJson(Object value) {
          return "<number>" + value + "</number>";
        }

        @Override
        public Object fromJson(String json, Type type) {
          return ValueMapper.standard().fromJson(json, type);
        }
      };
    }

    @MillraceJob("number")
    int number() {
      return 7;
    }
  }

  @Test
  void resultThatIsNoJsonIsNamedAndNotRetried() {
    new ApplicationContextRunner()
        .withUserConfiguration(WithMapperOfNoJson.class)
        .withPropertyValues(
            "spring.application.name=numbers", "millrace.trackers=" + TRACKER.address())
        .run(
            context -> {
              JobClient own = context.getBean(JobClient.class);
              assertFailed(
                  own.await(own.submit(Job.builder("numbers", "number").build()), PATIENCE),
                  "a java.lang.Integer, cannot be kept: it is not JSON: ");
            });
  }
}
