package io.millrace.jobtracker.submit;

import io.millrace.api.DeclareResult.Status;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.store.declared.DeclaredStore;
import io.millrace.jobtracker.store.declared.DeclaredStore.Owner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides at the beginning of each transaction whether a page of a declaration takes effect. Of the
 * declarations of one owner, the one that began last does; the others end with it. Thread-safe.
 */
final class DeclareAdmission {
  private final DeclaredStore declared;

  DeclareAdmission(DeclaredStore declared) {
    this.declared = declared;
  }

  /**
   * What was decided.
   *
   * @param refusal the answer to a page that takes no effect; null if it does
   * @param owner the owner of the declaration, whose row is locked
   */
  record Admitted(@Nullable DeclareReply refusal, Owner owner) {}

  /**
   * Locks the owner, and begins the declaration with its first page.
   *
   * @throws RpcException if a page before this one was not applied
   */
  Admitted admit(DeclareRequest request, long now) {
    Owner owner = declared.lockOwner(request.owner());
    if (owner.declarationId().equals(request.declarationId())) {
      require(request.page() <= owner.pages(), request);
      return new Admitted(null, owner);
    }
    if (declared.hasBegun(request.declarationId())) {
      return refused(
          owner, Status.SUPERSEDED, "another declaration of the owner began before this one ended");
    }
    require(request.page() == 0, request);
    if (!request.force() && isLower(request.revision(), owner.revision())) {
      String given = request.revision() == null ? "no revision" : "revision " + request.revision();
      return refused(
          owner,
          Status.OUTDATED,
          given + " is outdated: the owner has declared revision " + owner.revision());
    }
    declared.begin(request.owner(), request.declarationId(), request.revision(), now);
    return new Admitted(
        null, new Owner(owner.name(), request.revision(), request.declarationId(), 0, 0));
  }

  private static boolean isLower(@Nullable Long revision, @Nullable Long highest) {
    return highest != null && (revision == null || revision < highest);
  }

  private static Admitted refused(Owner owner, Status status, String why) {
    String message = "owner '" + owner.name() + "': " + why;
    return new Admitted(new DeclareReply(status, message, List.of(), false), owner);
  }

  private static void require(boolean isInOrder, DeclareRequest request) {
    if (!isInOrder) {
      throw new RpcException(
          ErrorCode.BAD_REQUEST,
          "page "
              + request.page()
              + " of declaration "
              + request.declarationId()
              + " came before a page with a lower number was applied");
    }
  }
}
