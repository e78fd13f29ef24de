package io.millrace.jobtracker.submit;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.batch.PartWithdrawal;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.change.JobCanceller;
import io.millrace.jobtracker.submit.change.JobChanges;
import io.millrace.jobtracker.submit.change.JobPauser;
import io.millrace.jobtracker.submit.change.JobResumer;
import io.millrace.jobtracker.submit.change.JobTerminator;
import io.millrace.jobtracker.submit.change.ReplayDead;
import io.millrace.jobtracker.submit.change.RunNow;
import io.millrace.jobtracker.submit.job.FeatureGate;
import io.millrace.jobtracker.submit.job.JobValidator;
import io.millrace.jobtracker.submit.job.LockedJobs;
import io.millrace.jobtracker.submit.job.TriggerPlans;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.time.Duration;
import java.time.ZoneId;

/**
 * The services that store jobs and change stored jobs, for all node groups.
 *
 * @param submitter stores a client's jobs
 * @param declarer applies what applications declare
 * @param canceller cancels the live job of a key
 * @param pauser pauses a recurring job
 * @param resumer resumes a paused job
 * @param runNow runs a recurring job once more, now
 * @param replays writes a new trigger in place of a dead one
 * @param terminator terminates executions of a job
 */
public record JobServices(
    JobSubmitter submitter,
    JobDeclarer declarer,
    JobCanceller canceller,
    JobPauser pauser,
    JobResumer resumer,
    RunNow runNow,
    ReplayDead replays,
    JobTerminator terminator) {

  /**
   * The bounds on submits.
   *
   * @param defaultZone the time zone of cron expressions that name none
   * @param nodeGroups the highest number of node groups
   * @param quotas reports whether there is room for more waiting jobs
   * @param features checks that every tracker knows what a job uses
   * @param keepParts how long parts are kept after the end of their run
   */
  public record Bounds(
      ZoneId defaultZone,
      NodeGroupStore.Bounds nodeGroups,
      StoreQuotas quotas,
      FeatureGate features,
      Duration keepParts) {}

  /** Makes the services and their parts. */
  public static JobServices of(Bounds bounds, EngineContext engine) {
    Stores stores = engine.stores();
    IdSequence ids = engine.ids();
    JobPlanner planner = engine.planner();
    TimedExecutor time = engine.time();
    CompletionRecorder recorder = new CompletionRecorder(stores, ids);
    LockedJobs locked = new LockedJobs(stores);
    TriggerWithdrawal takeback = new TriggerWithdrawal(stores, locked, planner, recorder, ids);
    TriggerPlans plans = new TriggerPlans(locked, planner);
    RunStopper stopper = new RunStopper(stores, ids);
    RecurringSubmit recurring =
        new RecurringSubmit(stores, locked, takeback, plans, recorder, ids, time.clock());
    RecurringBatch newRecurring = new RecurringBatch(stores, plans, recorder, ids);
    GroupSubmit groupSubmit =
        new GroupSubmit(
            engine,
            new OneShotSubmit(stores, takeback, ids, time.clock()),
            recurring,
            newRecurring,
            bounds);
    JobValidator validator =
        new JobValidator(new JsonCodec(), bounds.defaultZone(), bounds.features());
    PartWithdrawal withdrawal = new PartWithdrawal(stores, stopper, ids, engine.signals());
    JobChanges changes = new JobChanges(stores, withdrawal, time, engine.signals());
    return new JobServices(
        new JobSubmitter(
            validator, groupSubmit, bounds.quotas(), time, stores.transactions().submitsAtATime()),
        new JobDeclarer(
            validator,
            engine,
            declareTransactions(
                engine,
                bounds.quotas(),
                groupSubmit,
                new DeclaredJobWriter(stores, recurring, newRecurring, locked, takeback, ids),
                new JobRetirement(stores, locked, takeback, stopper, withdrawal))),
        new JobCanceller(stores, locked, takeback, stopper, changes),
        new JobPauser(stores, locked, takeback, changes),
        new JobResumer(stores, locked, planner, plans, recorder, ids, changes),
        new RunNow(stores, locked, validator, ids, changes),
        new ReplayDead(engine, locked, validator, bounds.features(), changes, bounds.keepParts()),
        new JobTerminator(stopper, changes));
  }

  private static DeclareTransactions declareTransactions(
      EngineContext engine,
      StoreQuotas quotas,
      GroupSubmit groups,
      DeclaredJobWriter writer,
      JobRetirement retirement) {
    DeclareAdmission admission = new DeclareAdmission(engine.stores().declared());
    DeclaredPage page = new DeclaredPage(engine.stores().declared(), admission, writer, quotas);
    return new DeclareTransactions(engine, groups, quotas, admission, page, retirement);
  }
}
