package io.millrace.jobtracker.submit;

import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.lane.JobLanes;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.Creator;
import io.millrace.jobtracker.store.NodeGroupStore.TooManyNodeGroupsException;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.submit.job.FeatureGate;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import io.millrace.jobtracker.submit.job.RelayedSubmits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores one batch of valid jobs of one node group in one transaction. If an insert finds a task id
 * already waiting, the batch is repeated in another transaction, which looks for waiting jobs
 * first. Thread-safe.
 */
final class GroupSubmit {
  private final EngineContext engine;
  private final Stores stores;
  private final OneShotSubmit oneShots;
  private final RecurringSubmit recurring;
  private final RecurringBatch newRecurring;
  private final NodeGroupStore.Bounds nodeGroups;
  private final StoreQuotas quotas;
  private final FeatureGate features;
  private final JobLanes lanes;
  private final CheckBeforeInsertHint lookFirst = new CheckBeforeInsertHint();
  private final Set<String> knownGroups = ConcurrentHashMap.newKeySet();

  GroupSubmit(
      EngineContext engine,
      OneShotSubmit oneShots,
      RecurringSubmit recurring,
      RecurringBatch newRecurring,
      JobServices.Bounds bounds) {
    this.engine = engine;
    this.stores = engine.stores();
    this.oneShots = oneShots;
    this.recurring = recurring;
    this.newRecurring = newRecurring;
    this.nodeGroups = bounds.nodeGroups();
    this.quotas = bounds.quotas();
    this.features = bounds.features();
    this.lanes = new JobLanes(stores.lanes());
  }

  /** Stores the jobs, counts them, and answers each, in order. */
  List<SubmitResult> store(String group, List<PendingSubmit> jobs) {
    Clock clock = engine.time().clock();
    long begun = clock.nanoTime();
    List<SubmitResult> results = answer(group, jobs);
    long bytes = jobs.stream().mapToLong(job -> job.params().bytes()).sum();
    quotas.waitingStored(group, jobs.size(), bytes);
    engine
        .listener()
        .committed(EngineListener.Commit.SUBMIT, jobs.size(), clock.nanoTime() - begun);
    return results;
  }

  private List<SubmitResult> answer(String group, List<PendingSubmit> jobs) {
    Map<String, String> refusals = ensureGroup(group, jobs);
    if (!refusals.isEmpty()) {
      return refused(group, jobs, refusals);
    }
    IdentityHashMap<PendingSubmit, SubmitResult> refused;
    List<PendingSubmit> placed;
    Submitted submitted;
    try {
      refused = refuse(group, features.refusals(jobs), RejectReason.TRACKER_TOO_OLD);
      placed = place(group, jobs, refused);
      List<PendingSubmit> admitted = without(refused, placed);
      submitted = RaceLostException.retrying(() -> storeOnce(group, admitted));
    } catch (StoreException e) {
      if (wasRemoved(group, e)) {
        return answer(group, jobs);
      }
      throw e;
    }
    engine.signals().triggersStored(group, submitted.stored());
    if (submitted.hasFeedback()) {
      engine.signals().feedbackStored();
    }
    refused.forEach(submitted::answer);
    return placed.stream().map(submitted::answer).toList();
  }

  /**
   * Answers jobs whose node group may not be created. The epochs of relays are recorded all the
   * same: there may be room when a copy arrives late, and it would be stored.
   */
  private List<SubmitResult> refused(
      String group, List<PendingSubmit> jobs, Map<String, String> refusals) {
    RelayedSubmits relayed = recordEpochsOfRefused(group, jobs);
    List<SubmitResult> results = new ArrayList<>(jobs.size());
    for (PendingSubmit job : jobs) {
      SubmitResult outdated = relayed.refusal(job);
      results.add(
          outdated == null
              ? SubmitResult.rejected(
                  job.taskId(),
                  RejectReason.TOO_MANY_NODE_GROUPS,
                  refusals.getOrDefault(job.spec().clientGroup(), ""))
              : outdated);
    }
    return results;
  }

  private RelayedSubmits recordEpochsOfRefused(String group, List<PendingSubmit> jobs) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .repeating("refuse submits to " + group, () -> recordEpochs(jobs)));
  }

  private RelayedSubmits recordEpochs(List<PendingSubmit> jobs) {
    return RelayedSubmits.record(stores.relays(), jobs, engine.time().clock().millis());
  }

  /**
   * Answers the jobs that may not be stored. A resend is answered from the record: the job was
   * stored before that was so. The epochs of relays are recorded, as for jobs whose node group may
   * not be created.
   */
  private IdentityHashMap<PendingSubmit, SubmitResult> refuse(
      String group, IdentityHashMap<PendingSubmit, String> refusals, RejectReason reason) {
    IdentityHashMap<PendingSubmit, SubmitResult> answers = new IdentityHashMap<>();
    refusals.forEach(
        (job, why) -> {
          SubmitResult known =
              isRecurring(job)
                  ? recurring.fromTheRecord(group, job)
                  : oneShots.fromTheRecord(group, job);
          answers.put(
              job, known == null ? SubmitResult.rejected(job.taskId(), reason, why) : known);
        });
    if (!answers.isEmpty()) {
      RelayedSubmits relayed = recordEpochsOfRefused(group, List.copyOf(answers.keySet()));
      answers.replaceAll((job, answer) -> Objects.requireNonNullElse(relayed.refusal(job), answer));
    }
    return answers;
  }

  /** Returns the jobs in their lanes, and adds those to the refused for which there is no room. */
  private List<PendingSubmit> place(
      String group,
      List<PendingSubmit> jobs,
      IdentityHashMap<PendingSubmit, SubmitResult> refused) {
    IdentityHashMap<PendingSubmit, String> refusals = new IdentityHashMap<>();
    List<PendingSubmit> placed = new ArrayList<>(jobs.size());
    for (PendingSubmit job : jobs) {
      try {
        placed.add(refused.containsKey(job) ? job : place(group, job));
      } catch (JobLanes.TooManyLanesException e) {
        refusals.put(job, String.valueOf(e.getMessage()));
        placed.add(job);
      }
    }
    refused.putAll(refuse(group, refusals, RejectReason.TOO_MANY_LANES));
    return placed;
  }

  /** As {@link JobLanes#place}. */
  PendingSubmit place(String group, PendingSubmit job) {
    return job.spec().lane() == null ? job : job.with(lanes.place(group, job.spec()));
  }

  private static List<PendingSubmit> without(
      IdentityHashMap<PendingSubmit, SubmitResult> refused, List<PendingSubmit> jobs) {
    return refused.isEmpty()
        ? jobs
        : jobs.stream().filter(job -> !refused.containsKey(job)).toList();
  }

  /** As {@link FeatureGate#refusals}. */
  IdentityHashMap<PendingSubmit, String> featureRefusals(List<PendingSubmit> jobs) {
    return features.refusals(jobs);
  }

  /**
   * Whether the failure may be caused by a missing table: then the node group was dropped and is
   * created again. The group is also no longer assumed to exist, because it may be about to be
   * dropped.
   */
  boolean wasRemoved(String group, StoreException failure) {
    knownGroups.remove(group);
    return !TransientFailures.isOfAll(failure) && stores.nodeGroups().find(group).isEmpty();
  }

  private Submitted storeOnce(String group, List<PendingSubmit> jobs) {
    if (!lookFirst.isDueIn(group)) {
      try {
        return store(group, jobs, false);
      } catch (DuplicateKeyException e) {
        lookFirst.met(group);
      }
    }
    try {
      Submitted submitted = store(group, jobs, true);
      if (submitted.hasMetWaiting()) {
        lookFirst.met(group);
      } else {
        lookFirst.foundNothing(group);
      }
      return submitted;
    } catch (DuplicateKeyException e) {
      if (jobs.size() > 1) {
        throw e;
      }
      throw new RaceLostException(
          "a concurrent submit of " + jobs.get(0).taskId() + " was committed first");
    }
  }

  /**
   * Stores the jobs in one transaction.
   *
   * @param look whether the first round looks before it inserts; later rounds contain task ids of
   *     earlier rounds, so they always look
   */
  private Submitted store(String group, List<PendingSubmit> jobs, boolean look) {
    return stores
        .transactions()
        .inTransaction(
            "submit to " + group,
            () -> {
              Submitted submitted = new Submitted();
              boolean looks = look;
              for (List<PendingSubmit> round : rounds(refuseOutdated(jobs, submitted))) {
                oneShots.store(
                    group, round.stream().filter(j -> !isRecurring(j)).toList(), looks, submitted);
                storeRecurring(
                    group, round.stream().filter(GroupSubmit::isRecurring).toList(), submitted);
                looks = true;
              }
              submitted.versions().write(stores.versions());
              return submitted;
            },
            submitted -> isStored(group, submitted));
  }

  /** Stores what is new together, which takes a few statements, and the rest one by one. */
  private void storeRecurring(String group, List<PendingSubmit> jobs, Submitted submitted) {
    if (jobs.size() > 1) {
      newRecurring
          .storeNew(group, jobs, submitted, engine.time().clock().millis())
          .forEach(job -> submitted.answer(job, SubmitResult.accepted(job.taskId())));
    }
    jobs.stream()
        .filter(job -> !submitted.isAnswered(job))
        .forEach(job -> recurring.store(group, job, submitted));
  }

  /** Answers the submits of relays that are out of date, and returns the others. */
  private List<PendingSubmit> refuseOutdated(List<PendingSubmit> jobs, Submitted submitted) {
    RelayedSubmits relayed = recordEpochs(jobs);
    List<PendingSubmit> others = new ArrayList<>(jobs.size());
    for (PendingSubmit job : jobs) {
      SubmitResult refusal = relayed.refusal(job);
      if (refusal == null) {
        others.add(job);
      } else {
        submitted.answer(job, refusal);
      }
    }
    return others;
  }

  /**
   * Whether the transaction was committed, judged by its first row. A missing row may also have
   * been claimed meanwhile. Then the transaction is repeated, and each job is recognized by its
   * submission id.
   */
  private boolean isStored(String group, Submitted submitted) {
    List<WaitingTrigger> stored = submitted.stored();
    return !stored.isEmpty() && stores.waiting().lock(group, stored.get(0).id());
  }

  /**
   * Creates the node group if necessary. This is DDL, so it runs before and outside any data
   * transaction. An existing group is open to all client groups, so it suffices that one of them
   * may create it.
   *
   * @return the error message for each client group if none may create the node group; otherwise
   *     empty
   */
  Map<String, String> ensureGroup(String group, List<PendingSubmit> jobs) {
    if (knownGroups.contains(group)) {
      return Map.of();
    }
    Map<String, String> refusals = new HashMap<>();
    for (PendingSubmit job : jobs) {
      String clientGroup = job.spec().clientGroup();
      if (refusals.containsKey(clientGroup)) {
        continue;
      }
      try {
        NodeGroupStore.NodeGroup unused =
            stores.nodeGroups().ensure(group, Creator.client(clientGroup), nodeGroups);
        knownGroups.add(group);
        engine.signals().nodeGroupStored(group);
        return Map.of();
      } catch (TooManyNodeGroupsException e) {
        refusals.put(clientGroup, String.valueOf(e.getMessage()));
      }
    }
    return refusals;
  }

  /**
   * Splits jobs into rounds so that no task id occurs twice in a round. The rounds run in order.
   */
  private static List<List<PendingSubmit>> rounds(List<PendingSubmit> jobs) {
    List<List<PendingSubmit>> rounds = new ArrayList<>();
    List<Set<String>> taskIds = new ArrayList<>();
    for (PendingSubmit job : jobs) {
      int round = 0;
      while (round < rounds.size() && !taskIds.get(round).add(job.taskId())) {
        round++;
      }
      if (round == rounds.size()) {
        rounds.add(new ArrayList<>());
        taskIds.add(new HashSet<>(Set.of(job.taskId())));
      }
      rounds.get(round).add(job);
    }
    return rounds;
  }

  private static boolean isRecurring(PendingSubmit job) {
    return job.job().schedule().isRecurring();
  }
}
