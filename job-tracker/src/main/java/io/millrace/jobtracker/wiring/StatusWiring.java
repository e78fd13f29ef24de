package io.millrace.jobtracker.wiring;

import io.millrace.internal.protocol.ListRequest;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.protocol.StatusRequest;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.request.RequestTable;
import io.millrace.jobtracker.status.StatusService;
import io.millrace.jobtracker.store.Transactions;
import java.util.concurrent.CompletableFuture;

/** Answers questions about jobs, and tells awaited ends while the engine runs. */
final class StatusWiring implements EngineService {
  private final StatusService status;
  private final Transactions transactions;
  private final RepeatedTimer look;
  private volatile Runnable stopListening = () -> {};

  private StatusWiring(StatusService status, Transactions transactions, RepeatedTimer look) {
    this.status = status;
    this.transactions = transactions;
    this.look = look;
  }

  /** Registers what answers the questions. */
  static StatusWiring of(EngineInputs inputs, EngineContext context, RequestTable requests) {
    StatusService status =
        new StatusService(inputs.stores(), context.time(), inputs.settings().defaultZone());
    requests.on(StatusRequest.class, (client, request) -> status.status(request));
    requests.on(ListRequest.class, (client, request) -> status.list(request));
    requests.on(OutcomeRequest.class, status::outcome);
    Pace pace = Pace.every(StatusService.LOOK_PERIOD);
    RepeatedTimer look = context.timers().timer("look for awaited ends", pace, status.look());
    return new StatusWiring(status, inputs.stores().transactions(), look);
  }

  @Override
  public void start() {
    stopListening = transactions.listen(status.listener());
    look.start();
  }

  @Override
  public CompletableFuture<Void> stop() {
    stopListening.run();
    status.close();
    return look.destroy();
  }
}
