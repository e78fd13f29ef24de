package io.millrace.scripts.option;

import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects dead triggers. */
public final class DeadOptions {

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description = "Only those of this node group.")
  private @Nullable String nodeGroup;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "Only those whose task id begins with this.")
  private @Nullable String prefix;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description = "Only those that died at this instant or later. ISO-8601 with Z or an offset.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "INSTANT",
      description = "Only those that died before this instant.")
  private @Nullable Instant to;

  /** Returns whether any of these options is given. */
  public boolean isGiven() {
    return Stream.of(nodeGroup, prefix, from, to).anyMatch(java.util.Objects::nonNull);
  }

  public @Nullable String nodeGroup() {
    return nodeGroup;
  }

  /** Returns the prefix of the task id. */
  public @Nullable String prefix() {
    return prefix;
  }

  public @Nullable Instant from() {
    return from;
  }

  public @Nullable Instant to() {
    return to;
  }
}
