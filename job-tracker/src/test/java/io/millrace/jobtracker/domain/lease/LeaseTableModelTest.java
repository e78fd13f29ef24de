package io.millrace.jobtracker.domain.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.PullRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Drives a lease table from the workers' side: each worker pulls with rising numbers, receives some
 * answers and loses others. The table must never call an execution lost that its worker has, or may
 * yet receive, nor one that a process of it which is gone may have started, and must find lost what
 * it cannot have.
 */
class LeaseTableModelTest {
  private static final long LEASE = 10;

  @Property(tries = 1_000)
  void tableNeverCallsLostWhatItsWorkerHasOrMayReceive(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int steps) {
    World world = new World(new Random(seed));
    for (int step = 0; step < steps; step++) {
      world.step();
    }
  }

  private enum Answer {
    UNDER_WAY,
    RECEIVED,
    GIVEN_UP,
    /** The process that sent the pull is dead, and with it the knowledge of what it received. */
    DIED
  }

  private static final class Worker {
    final String id;
    final Map<Long, Answer> pulls = new TreeMap<>();
    final Map<Long, List<Long>> assigned = new TreeMap<>();
    long process = 1;
    long number = PullRequest.before(process);

    Worker(String id) {
      this.id = id;
    }

    void restart() {
      process++;
      number = PullRequest.before(process);
      pulls.replaceAll((pull, fate) -> Answer.DIED);
    }

    List<Long> earlierOpen() {
      return pulls.keySet().stream()
          .filter(pull -> pulls.get(pull) == Answer.UNDER_WAY && pull != number)
          .toList();
    }

    List<Long> assignedBy(Answer answer) {
      List<Long> executions = new ArrayList<>();
      assigned.forEach(
          (pull, list) -> {
            if (pulls.get(pull) == answer) {
              executions.addAll(list);
            }
          });
      return executions;
    }
  }

  private static final class World {
    private final Random random;
    private final LeaseTable leases = new LeaseTable(LEASE, 60_000);
    private final List<Worker> workers = List.of(new Worker("a"), new Worker("b"));
    private final Map<Long, Long> expiresAt = new TreeMap<>();
    private final Map<Long, Worker> owner = new TreeMap<>();
    private long now;
    private long nextExecution = 1;

    World(Random random) {
      this.random = random;
    }

    void step() {
      Worker worker = workers.get(random.nextInt(workers.size()));
      switch (random.nextInt(13) / 2) {
        case 0, 1 -> pull(worker);
        case 2 -> assign(worker);
        case 3 -> answer(worker);
        case 4 -> complete(worker);
        case 5 -> now += random.nextInt(4);
        default -> worker.restart();
      }
      checkExpiry();
    }

    private void pull(Worker worker) {
      worker.number++;
      worker.pulls.put(worker.number, Answer.UNDER_WAY);
      List<Long> held = worker.assignedBy(Answer.RECEIVED);
      held.forEach(execution -> expiresAt.put(execution, now + LEASE));

      List<Long> lost =
          leases.renew(worker.id, worker.number, held, worker.earlierOpen(), Long.MAX_VALUE, now);

      assertThat(lost).containsExactlyInAnyOrderElementsOf(worker.assignedBy(Answer.GIVEN_UP));
      end(lost);
    }

    private void assign(Worker worker) {
      if (worker.pulls.get(worker.number) == Answer.UNDER_WAY) {
        long execution = nextExecution++;
        worker.assigned.computeIfAbsent(worker.number, pull -> new ArrayList<>()).add(execution);
        owner.put(execution, worker);
        expiresAt.put(execution, now + LEASE);
        leases.grant(execution, worker.id, worker.number, now);
      }
    }

    /** The oldest pull under way is answered, or its answer is lost. */
    private void answer(Worker worker) {
      Answer fate = random.nextInt(3) == 0 ? Answer.GIVEN_UP : Answer.RECEIVED;
      worker.pulls.keySet().stream()
          .filter(pull -> worker.pulls.get(pull) == Answer.UNDER_WAY)
          .findFirst()
          .ifPresent(pull -> worker.pulls.put(pull, fate));
    }

    private void complete(Worker worker) {
      List<Long> held = worker.assignedBy(Answer.RECEIVED);
      if (!held.isEmpty()) {
        end(List.of(held.get(random.nextInt(held.size()))));
      }
    }

    private void end(List<Long> executions) {
      leases.end(executions);
      for (Long execution : executions) {
        expiresAt.remove(execution);
        owner.get(execution).assigned.values().forEach(list -> list.remove(execution));
      }
    }

    private void checkExpiry() {
      assertThat(leases.expired(now))
          .containsExactlyElementsOf(
              expiresAt.keySet().stream().filter(id -> expiresAt.get(id) <= now).toList());
      assertThat(leases.size()).isEqualTo(expiresAt.size());
    }
  }
}
