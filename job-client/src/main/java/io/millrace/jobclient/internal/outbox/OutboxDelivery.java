package io.millrace.jobclient.internal.outbox;

import io.millrace.api.CancelResult;
import io.millrace.api.SubmitResult;
import io.millrace.internal.codec.CodecException;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.rpc.tracker.TrackerLink;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
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
  private volatile @Nullable Recipient recipient;

  private record Recipient(OutboxSender sender, BiConsumer<Long, OutboxOutcome> answered) {}

  OutboxDelivery(Outbox outbox, HeldRequests held, TrackerLink link) {
    this.outbox = outbox;
    this.held = held;
    this.link = link;
  }

  /**
   * Begins to read and send entries.
   *
   * @param answered receives the sequence and the outcome of each entry
   */
  void start(OutboxSender sender, BiConsumer<Long, OutboxOutcome> answered) {
    recipient = new Recipient(sender, answered);
  }

  /** Ends reading and sending. */
  void stop() {
    recipient = null;
  }

  /**
   * Reads the entries that may be sent now, and marks them as under way.
   *
   * @param read receives the entries; when this method throws, it contains those that were read
   *     before
   */
  void readNext(List<Outbox.Entry> read) {
    while (recipient != null && link.session() != null) {
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
   * Sends an entry that {@link #readNext} has read. There is no outcome if the entry expires or the
   * client is closed before an answer arrives.
   */
  void send(Outbox.Entry entry) {
    Recipient known = recipient;
    if (known == null || !held.isUnderWay(entry.sequence())) {
      return;
    }
    SavedRequest request;
    try {
      request = SavedRequest.decode(entry.body());
    } catch (CodecException unreadable) {
      String why = "the saved request cannot be read: " + unreadable.getMessage();
      known.answered().accept(entry.sequence(), OutboxOutcome.givenUp(entry, why));
      return;
    }
    try {
      send(known, entry, request);
    } catch (IllegalStateException closing) {
      LOG.debug("outbox: {} will be delivered by the next process", request.key());
    }
  }

  private void send(Recipient known, Outbox.Entry entry, SavedRequest request) {
    Instant savedAt = Instant.ofEpochMilli(entry.storedAt());
    JobSubmission submission = request.submission();
    CompletableFuture<?> answer = known.sender().send(request.key(), submission);
    answers.put(entry.sequence(), answer);
    if (!held.isUnderWay(entry.sequence())) {
      // The entry has expired since the check above.
      cancel(entry.sequence());
    }
    answer.whenComplete(
        (result, failure) -> {
          answers.remove(entry.sequence());
          if (!answer.isCancelled()) {
            OutboxOutcome outcome =
                new OutboxOutcome(
                    request.key(),
                    submission,
                    savedAt,
                    result instanceof SubmitResult submitted ? submitted : null,
                    result instanceof CancelResult cancelled ? cancelled : null,
                    failure == null ? null : failure.getMessage());
            known.answered().accept(entry.sequence(), outcome);
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
