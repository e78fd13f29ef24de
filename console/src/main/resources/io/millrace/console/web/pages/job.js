import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, getTexts, orNull, path, Problem, withQuery } from '../core/api.js';
import { cancelJob, copyAsCommand, copyAsCurl, pauseJob, resumeJob, runJob, terminateJob } from '../core/actions.js';
import { away, duration, instant, number } from '../core/format.js';
import { isLive } from '../core/job-values.js';
import { visible } from '../core/names.js';
import { legend, RUNS, runFacts, strip } from '../core/runs.js';
import { lastNight } from '../core/search.js';
import { locale, t, word } from '../core/words.js';
import { badge, button, emptyNotice, facts, groupLink, link, linkWith, params, section, table } from '../core/view.js';
import { zoneOn } from '../core/zone.js';
import { historyTable } from './history.js';
import { detailsLink, holder, progressColumn } from './running.js';

const ROWS = 20;
const FIRES = 10;

export const job = {
  title: ({ params: { task } }) => visible(task),
  question: 'job.question',
  every: 3_000,
  zone: ({ data }) => data.detail?.schedule.zone,
  rows: { 'history.items': (row) => row.id, 'running.items': (row) => row.id },
  load,
  view,
};

/** A one-shot that has ended is gone but for its history; then the history is what is shown. */
async function load({ params: { group, task } }) {
  const at = path`/jobs/${group}/${task}`;
  const [detail, history] = await Promise.all([
    orNull(getTexts(at, { runs: RUNS })),
    getTexts('/history', { group, task, limit: ROWS }),
  ]);
  if (detail === null && history.items.length === 0) {
    throw new Problem(404, { detail: t('job.unknown', { group, task }) });
  }
  const [explanation, next, running] = await Promise.all([
    orNull(explain(group, task, zoneOn(detail?.schedule.zone))),
    detail === null ? null : getTexts(path`/jobs/${group}/${task}/next`, { count: FIRES }),
    detail === null ? null : get(withQuery('/executions', { group, task, limit: ROWS })),
  ]);
  return { detail, history, explanation, next, running };
}

/** In the zone that is shown; in UTC if the tracker does not know it. */
function explain(group, task, zone) {
  const at = path`/jobs/${group}/${task}/explain`;
  return getTexts(at, { zone }).catch((problem) => {
    if (problem.status === 400) {
      return getTexts(at);
    }
    throw problem;
  });
}

function view(page) {
  const { detail, history, explanation, next, running } = page.data;
  return html`
    ${detail === null ? nothing : head(page, detail)}
    ${detail === null || detail.lastRuns.length === 0 ? nothing : section(t('runs.last'), lastRuns(detail))}
    ${running === null || running.items.length === 0 ? nothing : section(t('job.running'), runningTable(running.items))}
    <div class="columns">
      ${explanation === null ? nothing : section(t('job.why'), why(explanation))}
      <div class="column">
        ${next === null ? nothing : section(nextHeading(next), fires(next))}
        ${detail === null ? nothing : section(t('job.definition'), definition(detail), copies(detail))}
      </div>
    </div>
    ${section(t('job.history'), past(page, history), historyLinks(page))}
  `;
}

function head(page, detail) {
  return html`<section class="card">
    <header>
      <p class="words">${badge('state', detail.state)} ${detail.scheduleInWords}</p>
      ${page.may('OPERATE', detail.nodeGroup) ? actions(page, detail) : nothing}
    </header>
    ${detail.pause
      ? html`<p>${t('job.paused-by', { by: detail.pause.by })} ${instant(detail.pause.at)} ${detail.pause.reason ?? ''}</p>`
      : nothing}
    ${facts([
      [t('col.group'), groupLink(detail.nodeGroup)],
      [t('col.next'), detail.nextFireAt ? html`${instant(detail.nextFireAt, { millis: false })} <small>${away(detail.nextFireAt)}</small>` : null],
      [t('col.handler'), detail.handler],
      [t('job.labels'), labels(detail)],
      [t('job.stick-to'), detail.stickTo],
      [t('job.executing'), number(detail.executing)],
      [t('job.queued'), detail.queued ? number(detail.queued) : null],
    ])}
  </section>`;
}

function lastRuns(detail) {
  return html`${strip(detail)} ${legend(detail.lastRuns)} ${facts(runFacts(detail.lastRuns))}`;
}

/** What the job requires of a worker; those that no worker has stand out. */
function labels({ on, labelsNobodyHas: lacked }) {
  return on.length === 0
    ? null
    : html`${on.map((label) =>
        lacked.includes(label)
          ? html`<span class="badge" data-tone="bad" title=${t('job.label.nobody')}>${label}</span> `
          : html`<span class="badge" data-tone="calm">${label}</span> `,
      )}${lacked.length > 0 ? html`<small>${t('job.labels.lacked', { labels: lacked.join(', ') })}</small>` : nothing}`;
}

function actions(page, detail) {
  const isRecurring = detail.state === 'ACTIVE' || detail.state === 'PAUSED';
  return html`<div class="actions">
    ${pauseOrResume(page, detail)}
    ${isRecurring ? button(t('act.run'), () => runJob(page, detail)) : nothing}
    ${isLive(detail)
      ? html`<a class="button" href=${link`/jobs/${detail.nodeGroup}/${detail.taskId}/edit`}>${t('act.edit')}</a>`
      : nothing}
    <a class="button" href=${link`/jobs/${detail.nodeGroup}/${detail.taskId}/duplicate`}>${t('act.duplicate')}</a>
    ${detail.executing > 0
      ? button(t('act.terminate'), () => terminateJob(page, detail), { tone: 'danger' })
      : nothing}
    ${isLive(detail) ? button(t('act.cancel'), () => cancelJob(page, detail), { tone: 'danger' }) : nothing}
  </div>`;
}

/** One place for both buttons, so that the focus moves from one to the other. */
function pauseOrResume(page, detail) {
  switch (detail.state) {
    case 'ACTIVE':
      return button(t('act.pause'), () => pauseJob(page, detail));
    case 'PAUSED':
      return button(t('act.resume'), () => resumeJob(page, detail), { tone: 'main' });
    default:
      return nothing;
  }
}

function why({ facts: found }) {
  return html`<ul class="explanation" tabindex="0" aria-label=${t('job.why')}>
    ${found.map(
      (fact) =>
        html`<li>
          <span class="badge" data-tone=${FACT_TONES[fact.kind] ?? 'calm'}>${word('fact', fact.kind)}</span>
          <span>${fact.text}</span>
        </li>`,
    )}
  </ul>`;
}

const FACT_TONES = {
  RUNNING: 'busy',
  DUE: 'busy',
  RETRY: 'warn',
  PAUSED: 'warn',
  HELD: 'warn',
  SKIPPED: 'warn',
  DEFECT: 'bad',
  NOT_FOUND: 'bad',
};

/** A one-shot has one run at most, and so has the last fire time of a schedule that ends. */
function nextHeading({ items }) {
  return items.length > 1 ? t('job.next', { n: items.length }) : t('job.next.one');
}

function fires(next) {
  return html`
    ${next.note ? html`<p class="hint">${next.note}</p>` : nothing}
    ${next.items.length === 0
      ? emptyNotice(t('job.no-fires'))
      : html`<p class="hint">${t('job.zone', { zone: next.zone })}</p>
          <ol class="fires">
            ${next.items.map(fire)}
          </ol>`}
  `;
}

/** 2026-11-23T06:00:00+08:00 as people read it, with the day of the week. */
function onTheClock(local) {
  const [day, time] = local.split('T');
  const weekday = new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), { weekday: 'short', timeZone: 'UTC' });
  return `${weekday} ${day} ${time.replace(/([+-])/, ' $1')}`;
}

/** A fire time by the clocks of the schedule's zone, with what summer time does to it. */
export function fire({ at, local, note }) {
  return html`<li>
    <time datetime=${at} title=${at}>${onTheClock(local)}</time> <span class="muted">${away(at)}</span>
    ${note ? html`<span class="note">${note}</span>` : nothing}
  </li>`;
}

function runningTable(items) {
  return table({
    caption: t('job.running'),
    rows: items,
    key: (row) => row.id,
    columns: [
      { name: t('col.execution'), cell: (row) => html`<a href=${detailsLink(row)}>${row.id}</a>` },
      { name: t('col.planned'), cell: (row) => instant(row.plannedFor) },
      { name: t('col.claimed'), cell: (row) => html`${instant(row.claimedAt)} <small>${away(row.claimedAt)}</small>` },
      { name: t('col.attempt'), kind: 'number', cell: (row) => `${row.attempt} / ${row.maxAttempts}` },
      progressColumn(),
      { name: t('col.worker'), cell: holder },
    ],
  });
}

function past(page, history) {
  return history.items.length === 0 ? emptyNotice(t('job.no-history')) : historyTable(history.items, { withJob: false });
}

function historyLinks({ params: { group, task } }) {
  return html`<span class="actions">
    <a href=${linkWith('/history', { group, task, ...lastNight() })}>${t('job.last-night')}</a>
    <a href=${linkWith('/timeline', { group, task })}>${t('timeline.title')}</a>
    <a href=${linkWith('/history', { group, task })}>${t('job.all-history')}</a>
  </span>`;
}

function copies(detail) {
  return html`<span class="actions">
    <a href=${link`/jobs/${detail.nodeGroup}/${detail.taskId}/changes`}>${t('job.changes')}</a>
    ${button(t('copy.command'), () => copyAsCommand(detail), { tone: 'quiet' })}
    ${button(t('copy.curl'), () => copyAsCurl(detail), { tone: 'quiet' })}
  </span>`;
}

function declaredBy(declared) {
  if (!declared) return null;
  const { owner, revision, retiredAt } = declared;
  if (retiredAt) return t('job.declared-by.retired', { owner });
  return revision === undefined ? t('job.declared-by.text', { owner }) : t('job.declared-by.revision', { owner, revision });
}

const isOneShot = ({ schedule: { cron, every, fixedDelay } }) => !cron && !every && !fixedDelay;

function definition(detail) {
  const { retry, overlap, misfire } = detail;
  return html`
    ${facts([
      [t('job.cron'), detail.schedule.cron],
      [t('job.zone-name'), detail.schedule.zone],
      [t('job.every'), detail.schedule.every ? duration(detail.schedule.every) : null],
      [t('job.fixed-delay'), detail.schedule.fixedDelay ? duration(detail.schedule.fixedDelay) : null],
      [t('job.times'), detail.schedule.times],
      [t(isOneShot(detail) ? 'job.at' : 'job.from'), detail.schedule.at ? instant(detail.schedule.at) : null],
      [t('job.until'), detail.schedule.until ? instant(detail.schedule.until) : null],
      [t('col.priority'), String(detail.priority)],
      [t('job.timeout'), detail.timeout ? duration(detail.timeout) : t('job.no-timeout')],
      [t('job.retry'), t('job.retry.text', { n: retry.maxRetries ?? 0, first: duration(retry.firstDelay) })],
      [t('job.overlap'), !overlap ? null : overlap.limit ? `${word('overlap', overlap.kind)} (${overlap.limit})` : word('overlap', overlap.kind)],
      [t('job.misfire'), misfire && word('misfire', misfire.kind)],
      [t('job.shards'), detail.shards ? number(detail.shards) : null],
      [t('job.broadcast'), detail.broadcast ? word('batch-kind', 'BROADCAST') : null],
      [t('job.on-worker-lost'), detail.onWorkerLost && word('worker-lost', detail.onWorkerLost)],
      [t('job.reduce'), detail.reduce],
      [t('job.on-part-failure'), detail.onPartFailure && word('part-failure', detail.onPartFailure)],
      [t('job.within'), detail.within ? duration(detail.within) : null],
      [t('job.version'), detail.version > 0 ? String(detail.version) : null],
      [t('job.accepted'), instant(detail.acceptedAt)],
      [t('job.submitted-by'), detail.submittedBy],
      [t('job.declared-by'), declaredBy(detail.declared)],
    ])}
    <h3>${t('params')}</h3>
    ${params(detail.params)}
  `;
}
