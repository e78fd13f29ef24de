package io.millrace.torture.attack;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Attacks by authenticated nodes that make the tracker store data. */
final class StoreAttacks {
  private static final Clock CLOCK = new SystemClock();
  private static final int LINES = 125;
  private static final String LINE = "z".repeat(8_000);

  private StoreAttacks() {}

  static void strangeGroups(Target target, Deadline deadline) throws Exception {
    try (WireAttacks.Held held = new WireAttacks.Held()) {
      for (int i = 0; i < 10_000 && deadline.pace(i, 500); i++) {
        String number = Integer.toString(i);
        held.attempt(
            () -> {
              try (WirePeer peer =
                  WirePeer.signedIn(target, NodeRole.WORKER, "w" + number, "strange-" + number)) {
                peer.ask(new CompleteRequest(List.of(success(1))));
              }
            });
      }
    }
  }

  private static ExecutionResult success(long executionId) {
    Instant now = CLOCK.now();
    return new ExecutionResult(executionId, Outcome.SUCCESS, null, null, List.of(), now, now);
  }

  static void jobLog(Target target, Deadline deadline) throws Exception {
    String group = "chatty";
    try (WirePeer client = WirePeer.signedIn(target, NodeRole.CLIENT, "chatty-client", "attack");
        WirePeer worker = WirePeer.signedIn(target, NodeRole.WORKER, "chatty-worker", group)) {
      client.ask(submit(Job.builder(group, "chat-" + UUID.randomUUID()).build()));
      long executionId = takeOne(worker, deadline);
      int sequence = 0;
      for (long requests = 0; deadline.pace(requests, 20); requests++) {
        List<LogLine> lines = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
          lines.add(new LogLine(executionId, ++sequence, CLOCK.now(), LogLevel.INFO, LINE));
        }
        worker.ask(new LogRequest(lines));
      }
      worker.ask(new CompleteRequest(List.of(success(executionId))));
    }
  }

  private static long takeOne(WirePeer worker, Deadline deadline) throws IOException {
    for (long number = System.nanoTime(); !deadline.isOver(); number++) {
      PullReply reply =
          WirePeer.decode(
              worker.ask(new PullRequest(number, 1, List.of(), List.of())), PullReply.class);
      if (!reply.assignments().isEmpty()) {
        return reply.assignments().get(0).executionId();
      }
    }
    throw new IOException("no execution was assigned");
  }

  static void parameters(Target target, Deadline deadline) throws Exception {
    String text = "x".repeat(1_000_000);
    try (WirePeer client = WirePeer.signedIn(target, NodeRole.CLIENT, "greedy", "attack")) {
      for (long i = 0; deadline.pace(i, 10); i++) {
        client.ask(
            submit(
                Job.builder("greedy", "job-" + UUID.randomUUID())
                    .after(Duration.ofHours(10))
                    .param("text", text)
                    .build()));
      }
    }
  }

  private static SubmitRequest submit(Job job) {
    String id = UUID.randomUUID().toString();
    return new SubmitRequest(List.of(new JobSubmission(id, job)));
  }
}
