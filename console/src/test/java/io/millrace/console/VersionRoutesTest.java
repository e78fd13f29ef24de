package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.Job;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.version.VersionRoutes.VersionItem;
import io.millrace.console.api.version.VersionRoutes.VersionPage;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The versions of a job, of applications and operators. */
class VersionRoutesTest {
  private static final Instant LATER = Instant.parse("2040-01-01T00:00:00Z");

  private static RunningConsole console;
  private static int submissions;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static void client(Job job) throws Exception {
    Peer client = new Peer(NodeRole.CLIENT, "client-1", "shop", "10.0.0.7:4711");
    JobSubmission submission = new JobSubmission("s-" + ++submissions, job);
    var reply =
        console
            .tracker()
            .operations()
            .ask(client, new SubmitRequest(List.of(submission)))
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    assertThat(reply.results().get(0).isStored()).isTrue();
  }

  private static Job.Builder each(String task, int minutes) {
    return Job.builder("orders", task)
        .every(Duration.ofMinutes(minutes))
        .at(LATER)
        .replaceExisting(true);
  }

  private static Answered ask(String task, String query) throws Exception {
    return console.ask("GET", "/api/v1/jobs/orders/" + task + "/versions" + query).send();
  }

  private static VersionPage versions(String task, String query) throws Exception {
    Answered answered = ask(task, query);
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    return answered.as(VersionPage.class);
  }

  @Test
  void versionsSayWhoStoredWhat() throws Exception {
    client(each("told", 3).param("day", "monday").build());
    console
        .ask("PUT", "/api/v1/jobs/orders/told")
        .json("{\"schedule\":{\"every\":\"PT4M\",\"at\":\"2040-01-01T00:00:00Z\"},\"priority\":7}")
        .send();
    JobDetail edited = console.ask("GET", "/api/v1/jobs/orders/told").send().as(JobDetail.class);
    console.ask("POST", "/api/v1/jobs/orders/told/cancel").send();

    VersionPage page = versions("told", "");

    assertThat(page.next()).isNull();
    assertThat(page.items())
        .extracting(VersionItem::version, VersionItem::source, VersionItem::by)
        .containsExactly(
            tuple(3, Source.OPERATOR, "admin"),
            tuple(2, Source.OPERATOR, "admin"),
            tuple(1, Source.CLIENT, "shop/client-1"));
    VersionItem first = page.items().get(2);
    assertThat(first.address()).isEqualTo("10.0.0.7:4711");
    assertThat(Objects.requireNonNull(first.definition()).settings().params())
        .containsEntry("day", "monday");
    VersionItem second = page.items().get(1);
    assertThat(Objects.requireNonNull(second.definition()).settings()).isEqualTo(edited.settings());
    assertThat(second.definition().schedule()).isEqualTo(edited.schedule());
    assertThat(page.items().get(0).definition()).as("of a cancel").isNull();
  }

  @Test
  void versionsComeInPages() throws Exception {
    for (int minutes = 1; minutes <= 3; minutes++) {
      client(each("paged", minutes).build());
    }

    VersionPage page = versions("paged", "?limit=2");
    assertThat(page.items()).extracting(VersionItem::version).containsExactly(3, 2);
    assertThat(page.next()).isEqualTo("2");
    assertThat(versions("paged", "?limit=2&before=2").items())
        .extracting(VersionItem::version)
        .containsExactly(1);
  }

  @Test
  void parametersThatAreTooLargeAreSaidToBeLeftOut() throws Exception {
    client(each("large", 3).param("text", "x".repeat(JobVersion.MAX_PARAMS_BYTES)).build());

    VersionItem version = versions("large", "").items().get(0);

    assertThat(version.paramsLeftOut()).isTrue();
    assertThat(Objects.requireNonNull(version.definition()).settings().params()).isEmpty();
  }

  @Test
  void oneShotHasNoVersionsAndWhatIsUnknownIsNotFound() throws Exception {
    client(Job.builder("orders", "once").at(LATER).build());

    assertThat(versions("once", "").items()).isEmpty();
    assertThat(ask("no-such-job", "").status()).isEqualTo(404);
    assertThat(console.ask("GET", "/api/v1/jobs/no-such-group/once/versions").send().status())
        .isEqualTo(404);
    String viewer = console.token(Role.VIEW);
    assertThat(
            console
                .request("GET", "/api/v1/jobs/orders/once/versions")
                .token(viewer)
                .send()
                .status())
        .isEqualTo(200);
    assertThat(console.request("GET", "/api/v1/jobs/orders/once/versions").send().status())
        .isEqualTo(401);
  }
}
