package io.millrace.benchmarks.contender;

import java.util.List;

/** Millrace's tracker, client and worker in one process, as a peer runs; they talk over TCP. */
final class MillraceInOneProcess implements Tables, Submitter, Workers, EverySecond, Daily {
  private final MillraceTracker tracker = new MillraceTracker();
  private final MillraceClient client = new MillraceClient();
  private final MillraceWorker worker = new MillraceWorker();

  @Override
  public String open(Place place) throws Exception {
    String address = tracker.open(place);
    Place beside = Place.of(address, "", place.slots()).over(place.groups());
    String unusedOfClient = client.open(beside);
    String unusedOfWorker = worker.open(beside);
    return address;
  }

  @Override
  public void submit(BenchJob job) {
    client.submit(job);
  }

  @Override
  public void submitAll(List<BenchJob> jobs) {
    client.submitAll(jobs);
  }

  @Override
  public void submitEverySecond(int jobs) {
    client.submitEverySecond(jobs);
  }

  @Override
  public void submitDaily(int jobs) {
    client.submitDaily(jobs);
  }

  @Override
  public void startWorkers() {
    worker.startWorkers();
  }

  @Override
  public void stopWorkers() {
    worker.stopWorkers();
  }

  @Override
  public long unfinished(long dueBefore) throws Exception {
    return tracker.unfinished(dueBefore);
  }

  @Override
  public long finished() throws Exception {
    return tracker.finished();
  }

  @Override
  public TableView view() {
    return tracker.view();
  }

  @Override
  public void close() throws Exception {
    worker.close();
    client.close();
    tracker.close();
  }
}
