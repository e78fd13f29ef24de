package io.millrace.jobclient.wiring;

import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.rpc.tracker.TrackerConnectionListener;
import io.millrace.jobclient.calls.RetryingCalls;
import io.millrace.jobclient.outbox.JobOutbox;
import io.millrace.jobclient.submit.SubmitPipeline;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the parts of a client when a tracker is connected, disconnected, or refuses the client.
 *
 * @param outbox null if there is none
 */
record ConnectionEvents(
    SubmitPipeline pipeline,
    RetryingCalls calls,
    @Nullable JobOutbox outbox,
    @Nullable OutageDetector outages)
    implements TrackerConnectionListener {

  @Override
  public void connected(Session session) {
    if (outages != null) {
      outages.connected();
    }
    pipeline.connected();
    calls.connected();
    if (outbox != null) {
      outbox.connected();
    }
  }

  @Override
  public void refused(RpcException refusal) {
    pipeline.failIfRefused();
    calls.failIfRefused();
    if (outbox != null) {
      outbox.waiters().notifyUndeliverable();
    }
  }

  @Override
  public void disconnected() {
    if (outages != null) {
      outages.disconnected();
    }
  }
}
