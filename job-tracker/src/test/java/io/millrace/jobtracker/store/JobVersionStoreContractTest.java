package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.params;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.version.JobVersionStore;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobVersionStoreContractTest extends StoreContract {
  private static final Author CLIENT = new Author(Source.CLIENT, "shop/client-1", "10.0.0.7:4711");

  private JobVersionStore store;

  @BeforeEach
  void takeStore() {
    store = stores.versions();
    database.execute("DELETE FROM jt_job_version");
  }

  private static JobVersion version(long jobId, int version, String submissionId, long storedAt) {
    return new JobVersion(jobId, version, storedAt, CLIENT, submissionId, null);
  }

  private List<Integer> versionsOf(long jobId) {
    return store.list(jobId, Integer.MAX_VALUE, 1_000).stream().map(JobVersion::version).toList();
  }

  @Test
  void versionIsReadAsItWasStored() {
    JobDefinition large =
        job(
            nodeGroup,
            "it's a/job",
            1,
            JobState.ACTIVE,
            7_000L,
            params("{\"a\":\"" + "ä😀".repeat(5_000) + "\"}"));
    JobVersion first = JobVersion.of(large, CLIENT, 5);
    JobVersion cancel =
        JobVersion.of(
            large.ended(JobState.CANCELLED), new Author(Source.DECLARED, "billing", null), 6);

    store.insert(List.of(first, cancel));

    assertThat(first.definition()).isNotNull();
    assertThat(cancel.definition()).isNull();
    assertThat(store.list(large.id(), Integer.MAX_VALUE, 10)).containsExactly(cancel, first);
  }

  @Test
  void parametersThatAreTooLargeAreLeftOut() {
    StoredParams params = params("{\"a\":\"" + "b".repeat(JobVersion.MAX_PARAMS_BYTES) + "\"}");
    JobDefinition job = job(nodeGroup, "large", 1, JobState.ACTIVE, 7_000L, params);

    store.insert(List.of(JobVersion.of(job, CLIENT, 5)));

    assertThat(store.list(job.id(), Integer.MAX_VALUE, 10))
        .singleElement()
        .satisfies(
            read -> {
              assertThat(read.definition().params().isLeftInStore()).isTrue();
              assertThat(read.definition().schedule()).isEqualTo(job.schedule());
            });
  }

  @Test
  void versionsAreListedLatestFirstInPages() {
    long job = nextId();
    store.insert(
        List.of(
            version(job, 1, "a", 1),
            version(job, 2, "b", 2),
            version(job, 5, "c", 3),
            version(job + 1, 4, "d", 4)));

    assertThat(store.list(job, Integer.MAX_VALUE, 2)).extracting("version").containsExactly(5, 2);
    assertThat(store.list(job, 2, 2)).extracting("version").containsExactly(1);
    assertThat(store.list(job, 1, 2)).isEmpty();
  }

  @Test
  void versionIsStoredOnce() {
    long job = nextId();
    store.insert(List.of(version(job, 1, "a", 1)));

    assertThatThrownBy(() -> store.insert(List.of(version(job, 1, "b", 2))))
        .isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  void latestSubmissionOfEachJobIsFound() {
    long job = nextId();
    long other = nextId();
    store.insert(
        List.of(
            version(job, 9, "late", 1), version(job, 2, "early", 2), version(other, 1, "own", 3)));

    assertThat(store.latestSubmissions(List.of(job, other, nextId())))
        .isEqualTo(Map.of(job, "late", other, "own"));
    assertThat(store.latestSubmissions(List.of())).isEmpty();
  }

  @Test
  void trimKeepsTheLatestVersionsOfTheJob() {
    long job = nextId();
    long other = nextId();
    store.insert(
        IntStream.rangeClosed(1, JobVersion.KEPT + 3)
            .mapToObj(i -> version(job, 2 * i, "s-" + i, i))
            .toList());
    store.insert(List.of(version(other, 1, "own", 1)));

    store.trim(job);
    store.trim(other);

    assertThat(versionsOf(job))
        .hasSize(JobVersion.KEPT)
        .startsWith(2 * (JobVersion.KEPT + 3))
        .endsWith(8);
    assertThat(versionsOf(other)).containsExactly(1);
  }

  @Test
  void oldVersionsAreDeletedInPortions() {
    long job = nextId();
    store.insert(IntStream.range(0, 5).mapToObj(i -> version(job, i, "s", 100 + i)).toList());

    assertThat(store.deleteBefore(103, 2)).isEqualTo(2);
    assertThat(versionsOf(job)).containsExactly(4, 3, 2);
    assertThat(store.deleteBefore(103, 2)).isEqualTo(1);
    assertThat(store.deleteBefore(103, 2)).isZero();
    assertThat(versionsOf(job)).containsExactly(4, 3);
  }

  @Test
  void manyVersionsAreStoredAtOnce() {
    long job = nextId();
    List<JobVersion> many =
        IntStream.range(0, 1_000).mapToObj(i -> version(job + i, 1, "s-" + i, i)).toList();

    store.insert(many);

    assertThat(store.latestSubmissions(many.stream().map(JobVersion::jobId).toList()))
        .hasSize(1_000);
    assertThat(versionsOf(job + 999)).containsExactly(1);
  }
}
