package io.millrace.jobtracker.domain.explain;

import static io.millrace.jobtracker.domain.explain.SampleFindings.NOW;
import static io.millrace.jobtracker.domain.explain.SampleFindings.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OverlapPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.snapshot.UnknownTask;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Whole explanations in Chinese, as they are read. */
class ChineseFactsTest {
  private static final TriggerKey ONE_SHOT = TriggerKey.oneShot("a");

  private final SampleFindings found = new SampleFindings();

  @Test
  void aOneShotThatNoWorkerCanDraw() {
    found.oneShotWaits(NOW - 3_000, 1).workers(2, 0).dueInGroup(1);

    assertThat(found.chinese())
        .containsExactly(
            "一次性任务，于 2026-03-02T09:58:00Z 受理，提交者为客户端组 shop 的客户端 client-1；"
                + "优先级 100，处理器 mail，最多重试 3 次。",
            "该任务自 2026-03-02T09:59:57Z（3 秒前）起已到期，但已连接的 2 个工作节点都没有空闲槽位；"
                + "该节点组有 1 个触发到期，优先级数字小的先派发。");
  }

  @Test
  void aOneShotThatDied() {
    found
        .ended(
            ONE_SHOT,
            LedgerStatus.DEAD,
            at("09:00:00"),
            Cause.of(CauseCode.ATTEMPTS_USED_UP),
            "no such table")
        .kept(new Settlement(at("09:30:00"), "ops/alice", new Replay(42, 0)));

    assertThat(found.chinese())
        .endsWith(
            "不会再执行：一次性任务只结束一次，该任务已经结束。",
            "该任务于 2026-03-02T09:00:00Z 成为死信（DEAD），原因：尝试次数已用尽，工作节点 worker-1，第 1 次尝试；"
                + "到期 12 毫秒后被领取，再过 3.5 秒结束。"
                + "已由 ops/alice 于 2026-03-02T09:30:00Z 重放，即一次性任务 42。它的消息：no such table");
  }

  @Test
  void aCronJob() {
    found
        .job(
            new Schedule.Cron("0 30 2 * * ?", ZoneId.of("Europe/Berlin")),
            SampleFindings.spec(false, OverlapPolicy.skip()))
        .runs(TriggerKey.planned("a", at("09:30:00")), "worker-9", at("09:30:01"), false);

    List<String> facts = found.chinese();

    assertThat(facts.get(0))
        .isEqualTo(
            "周期任务，启用：定义的第 2 版，于 2026-03-02T09:00:00Z 受理，提交者为客户端组 shop 的客户端 client-1；"
                + "优先级 100，处理器 mail，最多重试 3 次。");
    assertThat(facts.get(1))
        .startsWith("按 cron 表达式“0 30 2 * * ?”触发，时区 Europe/Berlin：每天 02:30")
        .endsWith("。同一时间只执行一次：其间到期的一律跳过。");
    assertThat(facts.get(2))
        .isEqualTo(
            "2026-03-02T09:30:00Z 的执行正在工作节点 worker-9 上进行，"
                + "该节点于 2026-03-02T09:30:01Z（29 分钟 59 秒前）领取：第 2 次尝试（共 4 次），执行编号 100。"
                + "该工作节点没有连接：如果不再连上，15 秒的租约到期后，这次执行会被接管。");
    assertThat(facts.get(3))
        .isEqualTo(
            "下次触发：2026-03-03T01:30:00Z（15 小时 30 分钟后），Europe/Berlin 当地时间 2026-03-03T02:30+01:00。"
                + "它的触发大约在 2026-03-02T10:09:00Z 写入。");
  }

  @Test
  void aPausedJob() {
    found
        .job(
            new Schedule.Repeat(Duration.ofMinutes(5), null, 10L),
            JobState.PAUSED,
            SampleFindings.spec(false, null),
            new Pause("ops/alice", at("09:55:00"), "out of ink"))
        .skipped(
            at("09:55:00"),
            at("09:59:00"),
            5,
            at("09:59:30"),
            Cause.of(CauseCode.PAUSED_BY, "ops/alice"));

    assertThat(found.chinese())
        .contains(
            "已由 ops/alice 暂停，自 2026-03-02T09:55:00Z（5 分钟前）起，原因：out of ink。恢复之前，不会按计划触发。",
            "每 5 分钟触发一次，从 2026-03-02T09:00:00Z 起算；共 10 次。",
            "从 2026-03-02T09:55:00Z 到 2026-03-02T09:59:00Z 的 5 个触发时刻被跳过，"
                + "记录于 2026-03-02T09:59:30Z：由 ops/alice 暂停。");
  }

  @Test
  void causesAreToldAsFarAsTheyAreKnown() {
    Cause timedOut =
        Cause.of(CauseCode.TIMED_OUT_SECONDS, 5).and(Cause.of(CauseCode.ATTEMPTS_USED_UP));
    assertThat(FactPhrases.of(Locale.CHINESE, null).cause(timedOut))
        .isEqualTo("执行超过 5 秒（超时）、尝试次数已用尽");
    assertThat(
            FactPhrases.of(Locale.CHINESE, null)
                .cause(Cause.of(CauseCode.TERMINATED_BY, "operator/admin")))
        .isEqualTo("被 operator/admin 终止");
    assertThat(
            FactPhrases.of(Locale.CHINESE, null).cause(Cause.of(CauseCode.OVERLAP_QUEUE_FULL, 3)))
        .isEqualTo("上一次执行还没有结束，且已有 3 个在排队");
    assertThat(
            FactPhrases.of(Locale.CHINESE, null)
                .cause(Cause.decode("worker lost, attempts used up")))
        .as("of a version without codes")
        .isEqualTo("worker lost, attempts used up");
    assertThat(FactPhrases.of(Locale.ENGLISH, null).cause(timedOut))
        .isEqualTo("timed out after 5 s, attempts used up");
  }

  @Test
  void whatIsNotKnown() {
    UnknownTask absence =
        new UnknownTask("orders", "a", false, List.of("x", "y"), List.of(), 0, null);

    assertThat(SampleFindings.WRITER.write(absence, Locale.CHINESE, null).get(0).text())
        .isEqualTo("没有节点组“orders”：从未向它提交过任务，也从未有它的工作节点连接。现有节点组：x、y。");
  }
}
