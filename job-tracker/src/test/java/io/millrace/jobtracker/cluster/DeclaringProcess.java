package io.millrace.jobtracker.cluster;

import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An application in a JVM of its own: it declares a version of its jobs, says how that ended, and
 * ends.
 */
final class DeclaringProcess {
  static final String OWNER = "shop";
  static final String NODE_GROUP = "orders";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private DeclaringProcess() {}

  /**
   * Starts one.
   *
   * @param revision of the set, and the parameter of each job
   * @param from the number of the first job
   * @param to the number after the last job
   */
  static ChildJvm start(Path log, int port, int revision, int from, int to) {
    return ChildJvm.start(
        DeclaringProcess.class,
        log,
        IntStream.of(port, revision, from, to).mapToObj(String::valueOf).toList());
  }

  static String taskId(int number) {
    return "task-%05d".formatted(number);
  }

  public static void main(String[] args) {
    int revision = Integer.parseInt(args[1]);
    List<Job> jobs =
        IntStream.range(Integer.parseInt(args[2]), Integer.parseInt(args[3]))
            .mapToObj(number -> job(number, revision))
            .toList();
    try (JobClient client =
        JobClient.builder().trackers("127.0.0.1:" + args[0]).requestTimeout(PATIENCE).build()) {
      DeclareResult result =
          client.declare(
              Declaration.builder()
                  .owner(OWNER)
                  .revision(revision)
                  .jobs(jobs)
                  .retireMissing(true)
                  .build());
      System.out.println("the declaration is " + result.status());
    }
  }

  private static Job job(int number, int revision) {
    return Job.builder(NODE_GROUP, taskId(number))
        .cron("0 0 0 1 1 ?")
        .param("revision", String.valueOf(revision))
        .build();
  }
}
