package io.millrace.jobtracker.group;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.HandOverReply;
import io.millrace.internal.protocol.HandOverRequest;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.cluster.GroupOwnership;
import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.cluster.OwnershipService;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.Creator;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.NodeGroupStore.TooManyNodeGroupsException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Passes each pull to the engine of its node group. A worker that was redirected here may arrive
 * before this tracker knows that it owns the group, so the tracker reads ownership before it sends
 * a worker away. Thread-safe.
 */
public final class WorkerPulls {
  private final GroupRegistry<GroupEngine> groups;
  private final OwnershipService ownershipService;
  private final GroupOwnership ownership;
  private final NodeGroupStore store;
  private final NodeGroupStore.Bounds bounds;
  private final Executor executor;
  private final Set<String> groupsOfWorkers = ConcurrentHashMap.newKeySet();

  /**
   * @param bounds how many node groups there may be
   */
  public WorkerPulls(
      GroupRegistry<GroupEngine> groups,
      OwnershipService ownershipService,
      GroupOwnership ownership,
      NodeGroupStore store,
      NodeGroupStore.Bounds bounds,
      Executor executor) {
    this.groups = groups;
    this.ownershipService = ownershipService;
    this.ownership = ownership;
    this.store = store;
    this.bounds = bounds;
    this.executor = executor;
  }

  /** Answers a worker's pull, or returns the address of the tracker that serves its node group. */
  public CompletionStage<PullReply> pull(Peer worker, PullRequest request) {
    @Nullable GroupEngine group = groups.find(worker.group()).orElse(null);
    if (group != null) {
      ownershipService.lookIfInDoubt();
      return group.pulls().pull(worker, request);
    }
    boolean isNew = groupsOfWorkers.add(worker.group());
    CompletableFuture<Void> looked =
        isNew
            ? CompletableFuture.runAsync(() -> ensureGroup(worker.group()), executor)
            : ownershipService.lookSoon();
    return looked.thenCompose(unused -> pullServed(worker, request));
  }

  /** The first pull for a group creates its table, so that its first job need not wait. */
  private void ensureGroup(String group) {
    try {
      NodeGroup unused = store.ensure(group, Creator.WORKERS, bounds);
      ownershipService.lookOnce();
    } catch (RuntimeException e) {
      // Only groups that exist are kept, and their number is bounded.
      groupsOfWorkers.remove(group);
      if (e instanceof IllegalArgumentException || e instanceof TooManyNodeGroupsException) {
        throw new RpcException(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  private CompletionStage<PullReply> pullServed(Peer worker, PullRequest request) {
    @Nullable GroupEngine group = groups.find(worker.group()).orElse(null);
    if (group != null) {
      return group.pulls().pull(worker, request);
    }
    String owner = ownership.ownerElsewhere(worker.group());
    if (owner == null) {
      // The group may have been removed: the next pull creates it again.
      groupsOfWorkers.remove(worker.group());
    }
    return CompletableFuture.completedFuture(PullReply.notOwner(owner));
  }

  /**
   * Another tracker reports that this tracker owns a node group now: reads ownership at once
   * instead of after the next period. The store decides whether the report is true.
   */
  public CompletionStage<HandOverReply> handOver(Peer tracker, HandOverRequest request) {
    return ownershipService
        .lookSoon()
        .thenApply(unused -> new HandOverReply(groups.serves(request.nodeGroup())));
  }
}
