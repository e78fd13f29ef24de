package io.millrace.jobclient.outbox;

import io.millrace.common.codec.CodecException;
import io.millrace.common.model.CancelResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.outbox.Outbox;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.request.TrackerLink;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads saved requests and sends them while a tracker is connected: one at a time of each key, in
 * their order. Thread-safe, except {@link #readNext}, which reads the disk.
 */
final class OutboxDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxDelivery.class);

  private final Outbox outbox;
  private final HeldRequests held;
  private final TrackerLink link;
  private final Map<Long, CompletableFuture<?>> answers = new ConcurrentHashMap<>();
  private volatile @Nullable OutboxSender sender;

  OutboxDelivery(Outbox outbox, HeldRequests held, TrackerLink link) {
    this.outbox = outbox;
    this.held = held;
    this.link = link;
  }

  /** Sets the sender. Entries are read and sent from now on; null stops both. */
  void sender(@Nullable OutboxSender newSender) {
    sender = newSender;
  }

  /**
   * Reads the entries that may be sent now, and marks them as under way.
   *
   * @param read receives the entries; when this method throws, it contains those that were read
   *     before
   */
  void readNext(List<Outbox.Entry> read) {
    while (sender != null && link.session() != null) {
      Long sequence = held.take();
      if (sequence == null) {
        return;
      }
      read(sequence).ifPresent(read::add);
    }
  }

  private Optional<Outbox.Entry> read(long sequence) {
    Optional<Outbox.Entry> entry;
    try {
      entry = outbox.entry(sequence);
    } catch (RuntimeException failure) {
      held.putBack(sequence);
      throw failure;
    }
    if (entry.isEmpty()) {
      LOG.error("outbox: entry {} was lost because the file was damaged", sequence);
      held.removed(sequence);
    } else {
      held.read(sequence, entry.get().body().length);
    }
    return entry;
  }

  /**
   * Sends an entry that {@link #readNext} has read.
   *
   * @return completed with the outcome of the entry; never completed if the entry expires or the
   *     client is closed before an answer arrives
   */
  CompletableFuture<OutboxOutcome> send(Outbox.Entry entry) {
    SavedRequest request;
    try {
      request = SavedRequest.decode(entry.body());
    } catch (CodecException unreadable) {
      String why = "the saved request cannot be read: " + unreadable.getMessage();
      return CompletableFuture.completedFuture(OutboxOutcome.givenUp(entry, why));
    }
    OutboxSender known = sender;
    CompletableFuture<OutboxOutcome> outcome = new CompletableFuture<>();
    if (known == null || !held.isUnderWay(entry.sequence())) {
      return outcome;
    }
    try {
      send(known, entry, request, outcome);
    } catch (IllegalStateException closing) {
      LOG.debug("outbox: {} will be delivered by the next process", request.key());
    }
    return outcome;
  }

  private void send(
      OutboxSender known,
      Outbox.Entry entry,
      SavedRequest request,
      CompletableFuture<OutboxOutcome> outcome) {
    Instant savedAt = Instant.ofEpochMilli(entry.storedAt());
    JobSubmission submission = request.submission();
    CompletableFuture<?> answer =
        submission == null ? known.cancel(request.key()) : known.submit(submission);
    answers.put(entry.sequence(), answer);
    if (!held.isUnderWay(entry.sequence())) {
      // The entry has expired since the check above.
      cancel(entry.sequence());
    }
    answer.whenComplete(
        (result, failure) -> {
          answers.remove(entry.sequence());
          if (!answer.isCancelled()) {
            outcome.complete(
                new OutboxOutcome(
                    request.key(),
                    submission,
                    savedAt,
                    result instanceof SubmitResult submitted ? submitted : null,
                    result instanceof CancelResult cancelled ? cancelled : null,
                    failure == null ? null : failure.getMessage()));
          }
        });
  }

  /** Stops sending an entry. */
  void cancel(long sequence) {
    CompletableFuture<?> answer = answers.remove(sequence);
    if (answer != null) {
      answer.cancel(false);
    }
  }
}
