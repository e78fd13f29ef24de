package io.millrace.jobtracker.race;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.CLIENT;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.Status;
import io.millrace.api.Job;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore.ListedJob;
import io.millrace.jobtracker.store.Racer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

/** Declarations at the same time, through two trackers. */
class ConcurrentDeclarationsTest extends ServiceTest {
  private static final int ROUNDS = 10;

  private final Racer racer = new Racer();
  private HandDrivenTracker one;
  private HandDrivenTracker two;

  @BeforeEach
  void openTrackers() {
    one = new HandDrivenTracker(11, stores, new HandTime());
    two = new HandDrivenTracker(12, stores, new HandTime());
  }

  @AfterEach
  void stopThreads() {
    racer.close();
  }

  private static List<Job> jobs(int from, int to, int minutes) {
    return IntStream.range(from, to)
        .mapToObj(i -> job("task-" + i).every(Duration.ofMinutes(minutes)).build())
        .toList();
  }

  private static Callable<DeclareReply> declaring(
      HandDrivenTracker tracker, String id, String owner, boolean adopt, List<List<Job>> pages) {
    return () -> {
      DeclareReply reply = null;
      for (int page = 0; page < pages.size(); page++) {
        DeclareRequest request =
            new DeclareRequest(
                id,
                owner,
                null,
                page,
                page == pages.size() - 1,
                true,
                adopt,
                false,
                pages.get(page));
        CompletableFuture<DeclareReply> answer = tracker.jobs().declarer().declare(CLIENT, request);
        tracker.time().run();
        reply = answer.join();
        if (reply.status() != Status.DONE) {
          return reply;
        }
      }
      return reply;
    };
  }

  private Set<String> live() {
    return stores.jobs().list(GROUP, "", 1_000).stream()
        .filter(job -> job.state().isLive())
        .map(ListedJob::taskId)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> taskIds(List<Job> jobs) {
    return jobs.stream().map(Job::taskId).collect(Collectors.toCollection(TreeSet::new));
  }

  @RepeatedTest(ROUNDS)
  void oneOfTwoSetsOfAnOwnerTakesEffectAsAWhole() {
    List<Job> left = jobs(0, 20, 1);
    List<Job> right = jobs(10, 30, 2);

    List<DeclareReply> replies =
        racer.together(
            List.of(
                declaring(
                    one, "left", "shop", false, List.of(left.subList(0, 8), left.subList(8, 20))),
                declaring(
                    two,
                    "right",
                    "shop",
                    false,
                    List.of(right.subList(0, 8), right.subList(8, 20)))));

    String last = stores.declared().lockOwner("shop").declarationId();
    List<Job> winner = last.equals("left") ? left : right;
    assertThat(replies.get(last.equals("left") ? 0 : 1).status()).isEqualTo(Status.DONE);
    assertThat(live()).isEqualTo(taskIds(winner));
    winner.forEach(
        job -> assertThat(definition(job.taskId()).schedule()).isEqualTo(job.schedule()));
  }

  @RepeatedTest(ROUNDS)
  void eachJobBelongsToOneOfTwoOwners() {
    racer.together(
        List.of(
            declaring(one, "left", "shop", false, List.of(jobs(0, 10, 1))),
            declaring(two, "right", "billing", false, List.of(jobs(0, 10, 2)))));

    assertThat(owners(0, 10)).hasSize(1);
    assertThat(live()).hasSize(10);
  }

  @RepeatedTest(ROUNDS)
  void jobIsAsItsLastAdopterDeclaredIt() {
    List<DeclareReply> replies =
        racer.together(
            List.of(
                declaring(one, "left", "shop", true, List.of(jobs(0, 3, 1))),
                declaring(two, "right", "billing", true, List.of(jobs(0, 3, 2)))));

    assertThat(replies)
        .allMatch(reply -> reply.jobs().stream().noneMatch(it -> it.change() == Change.CONFLICT));
    boolean isOfShop = owners(0, 3).equals(Set.of("shop"));
    assertThat(owners(0, 3)).hasSize(1);
    assertThat(definition("task-0").schedule())
        .isEqualTo(jobs(0, 1, isOfShop ? 1 : 2).get(0).schedule());
  }

  @RepeatedTest(ROUNDS)
  void jobIsDeclaredOrSubmittedAndNeverBoth() {
    List<Object> both =
        racer.together(
            List.<Callable<Object>>of(
                () -> declaring(one, "left", "shop", false, List.of(jobs(0, 1, 1))).call(),
                () -> two.submit(jobs(0, 1, 2).get(0))));

    boolean isDeclared = stores.declared().find(GROUP, "task-0").isPresent();
    assertThat(both).hasSize(2);
    assertThat(definition("task-0").schedule())
        .isEqualTo(jobs(0, 1, isDeclared ? 1 : 2).get(0).schedule());
    assertThat(stores.waiting().findOneShots(GROUP, List.of("task-0"))).isEmpty();
  }

  private Set<String> owners(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> stores.declared().find(GROUP, "task-" + i))
        .flatMap(row -> Stream.of(row.orElseThrow().latest().owner()))
        .collect(Collectors.toSet());
  }
}
