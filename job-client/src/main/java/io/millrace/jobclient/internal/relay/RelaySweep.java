package io.millrace.jobclient.internal.relay;

import static java.util.stream.Collectors.toSet;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobclient.internal.relay.EnqueuedRows.Page;
import io.millrace.jobclient.internal.request.JobKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One way through the rows of the partitions that are held, from the lowest id there is. A row is
 * sent once the row before it of its key is done. A node group for which a tracker stores nothing
 * now is left out for the rest of the way, and does not hold up others. Ends early if a tracker
 * does not answer, or if a lease may have ended.
 */
final class RelaySweep {
  /** Trackers remember for two days at least what they have stored. */
  static final Duration LONGEST_SENT = Duration.ofHours(36);

  static final String EXPIRED = "EXPIRED";
  static final String UNREADABLE = "UNREADABLE";

  private static final int MOST_PAGES = 20;
  private static final Logger LOG = LoggerFactory.getLogger(RelaySweep.class);

  private final EnqueuedRows rows;
  private final PartitionLeases leases;
  private final RelaySender sender;
  private final RelayMeasures measures;
  private final Set<String> blocked = new HashSet<>();
  private int done;
  private @Nullable RpcException failure;

  RelaySweep(
      EnqueuedRows rows, PartitionLeases leases, RelaySender sender, RelayMeasures measures) {
    this.rows = rows;
    this.leases = leases;
    this.sender = sender;
    this.measures = measures;
  }

  /**
   * What a sweep did.
   *
   * @param done the rows that are done
   * @param more whether another sweep may find rows that can be sent at once
   * @param putOff whether a tracker could not store some rows now
   * @param failure why a tracker did not answer; null if none was asked in vain
   */
  record Outcome(int done, boolean more, boolean putOff, @Nullable RpcException failure) {}

  private Outcome outcome(boolean more) {
    return new Outcome(done, more, !blocked.isEmpty(), failure);
  }

  /** Runs the sweep, once. */
  Outcome run() {
    long after = 0;
    for (int page = 0; page < MOST_PAGES; page++) {
      leases.renewIfDue();
      if (!canSend()) {
        return outcome(false);
      }
      Page read = rows.read(leases.held().keySet(), after);
      boolean goesOn = relay(read);
      if (!goesOn || !read.more()) {
        return outcome(false);
      }
      after = read.last();
    }
    return outcome(done > 0);
  }

  private boolean canSend() {
    return failure == null && leases.areValid() && sender.isConnected();
  }

  /** Sends the rows of a page in rounds; returns false if the sweep ends. */
  private boolean relay(Page page) {
    List<Settlement> settled = new ArrayList<>();
    Map<JobKey, List<EnqueuedRow>> byKey = sort(page, settled);
    while (true) {
      List<EnqueuedRow> round = canSend() ? nextRound(byKey) : List.of();
      rows.record(settled, round);
      count(settled);
      settled.clear();
      if (round.isEmpty()) {
        return canSend();
      }
      send(round, settled);
      if (!leases.areValid()) {
        settled.replaceAll(Settlement::perhapsSent);
      }
    }
  }

  /** Sets aside what cannot be sent, and returns the other rows by their keys. */
  private Map<JobKey, List<EnqueuedRow>> sort(Page page, List<Settlement> settled) {
    Map<JobKey, List<EnqueuedRow>> byKey = new LinkedHashMap<>();
    for (EnqueuedRow row : page.rows()) {
      Long firstSentAt = row.firstSentAt();
      String fault = row.fault();
      if (firstSentAt != null && page.now() - firstSentAt > LONGEST_SENT.toMillis()) {
        String message =
            "it was first sent more than %d h ago, and trackers may not remember it any more"
                .formatted(LONGEST_SENT.toHours());
        settled.add(Settlement.setAside(row, EXPIRED, message));
      } else if (fault != null) {
        settled.add(Settlement.setAside(row, UNREADABLE, fault));
      } else {
        byKey.computeIfAbsent(row.key(), key -> new ArrayList<>(1)).add(row);
      }
    }
    return byKey;
  }

  /** Takes the first row of each key that is not blocked. */
  private List<EnqueuedRow> nextRound(Map<JobKey, List<EnqueuedRow>> byKey) {
    List<EnqueuedRow> round = new ArrayList<>();
    for (Iterator<Map.Entry<JobKey, List<EnqueuedRow>>> keys = byKey.entrySet().iterator();
        keys.hasNext(); ) {
      Map.Entry<JobKey, List<EnqueuedRow>> ofKey = keys.next();
      List<EnqueuedRow> left = ofKey.getValue();
      if (left.isEmpty() || blocked.contains(ofKey.getKey().nodeGroup())) {
        keys.remove();
      } else if (hasAttempt(left.get(0).partition())) {
        round.add(left.remove(0));
      }
    }
    return round;
  }

  private boolean hasAttempt(int partition) {
    PartitionLease lease = leases.of(partition);
    return lease != null && !lease.isUsedUp();
  }

  private RelayEpoch nextAttempt(int partition) {
    PartitionLease lease = leases.of(partition);
    if (lease == null) {
      throw new IllegalStateException("partition " + partition + " is not held");
    }
    return lease.nextAttempt();
  }

  private void send(List<EnqueuedRow> round, List<Settlement> settled) {
    try {
      List<EnqueuedRow> submits = round.stream().filter(row -> !row.isCancel()).toList();
      sender.submit(submits, this::nextAttempt, settled);
      for (EnqueuedRow row : round) {
        if (row.isCancel()) {
          cancel(row, settled);
        }
      }
    } catch (RpcException e) {
      failure = e;
      Set<EnqueuedRow> answered = settled.stream().map(Settlement::row).collect(toSet());
      round.stream().filter(row -> !answered.contains(row)).forEach(row -> settled.add(left(row)));
      if (e.code() == ErrorCode.OUTDATED) {
        round.stream().filter(sender::mayBeSent).forEach(row -> giveUp(row.partition()));
      }
    }
  }

  /** The next lease of the partition, whoever takes it, has a higher epoch. */
  private void giveUp(int partition) {
    PartitionLease lease = leases.of(partition);
    if (lease != null) {
      leases.giveUp(lease);
    }
  }

  /** A row that was in no request is as if it had never been about to be sent. */
  private Settlement left(EnqueuedRow row) {
    return sender.mayBeSent(row) ? Settlement.stays(row, null) : Settlement.notSent(row, null);
  }

  /** Requests of a partition follow one another: an attempt that is overtaken is out of date. */
  private void cancel(EnqueuedRow row, List<Settlement> settled) {
    PartitionLease lease = leases.of(row.partition());
    if (lease == null || !leases.areValid()) {
      settled.add(Settlement.notSent(row, "the lease is over"));
      return;
    }
    settled.add(sender.cancel(row, lease.nextAttempt()));
  }

  private void count(List<Settlement> settled) {
    for (Settlement each : settled) {
      String answer = each.answer();
      if (answer == null) {
        blocked.add(each.row().key().nodeGroup());
        continue;
      }
      done++;
      if (each.action() == Settlement.Action.SET_ASIDE) {
        LOG.warn("{} was set aside: {}: {}", each.row(), answer, each.message());
        measures.done("set_aside", 1);
      } else {
        measures.done(answer.toLowerCase(Locale.ROOT), 1);
      }
    }
  }
}
