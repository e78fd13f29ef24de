import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, upTo, withQuery } from '../core/api.js';
import { now } from '../core/clock.js';
import { number } from '../core/format.js';
import { visible } from '../core/names.js';
import { quickRanges, searchForm, textField, timeFields } from '../core/search.js';
import { isWithin, outcomes, timeline as drawn } from '../core/timeline.js';
import { t } from '../core/words.js';
import { choice, emptyNotice, field, isolated, jobLink, linkWith, section, shortId, workerLink } from '../core/view.js';

const HOUR = 3_600_000;
const PAGE = 500;

/** What a first visit shows first. */
const FIRST = 200;

/** Of those claimed before the span, the latest: some of them ran into it. */
const BEFORE = 200;

/** More than this could not be told apart, and would take long to draw. */
const MOST = 1_000;
const SHORTEST = 1_000;

export const timeline = {
  title: 'timeline.title',
  question: 'timeline.question',
  groupIn: 'group',
  every: ({ query }) => (query.to ? 0 : 5_000),
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

/** Of a span that ends now: its end goes on. A first visit shows some, and the rest an instant later. */
async function load({ query, data }) {
  const to = millis(query.to) ?? now();
  const from = millis(query.from) ?? to - HOUR;
  const span = { from, to };
  const refusal = refusalOf(query, span);
  if (refusal) {
    return { span, refusal };
  }
  const { group, task, worker } = query;
  const of = { group, task, worker };
  const most = data ? MOST : FIRST;
  const [ended, before, running] = await Promise.all([
    all('/history', { ...of, from: iso(from), to: iso(to) }, most),
    get(withQuery('/history', { ...of, from: iso(from - (to - from)), to: iso(from), limit: BEFORE })),
    all('/executions', of, most),
  ]);
  const isMore = Boolean(ended.next) || hasMoreWithin(running, query, to);
  const executions = [...ended.items, ...before.items].map(endedOf).concat(running.items.map((row) => runningOf(row)));
  return {
    span,
    isBegun: isMore && most < MOST,
    isComplete: !isMore || most < MOST,
    executions: executions.filter((execution) => isWithin(execution, span)),
  };
}

function refusalOf({ group, task, worker }, { from, to }) {
  if (task && !group) {
    return 'history.task-needs-group';
  }
  if (task && worker) {
    return 'running.task-or-worker';
  }
  return from >= to ? 'timeline.bad-span' : undefined;
}

/** What runs now comes in the order of the claims, but that of one job by its planned times. */
export function hasMoreWithin({ items, next }, { task }, to) {
  return Boolean(next) && (Boolean(task) || items.length === 0 || Number(millis(items.at(-1).claimedAt)) < to);
}

const iso = (at) => new Date(at).toISOString();

const millis = (text) => (text ? new Date(text).getTime() : null);

const all = (address, query, most) => upTo(most, (after) => /** @type {any} */ (get(withQuery(address, { ...query, after, limit: Math.min(PAGE, most) }))));

/** What never started is drawn at the instant at which it ended. */
function endedOf(row) {
  const startsAt = millis(row.startedAt) ?? millis(row.claimedAt) ?? millis(row.finishedAt);
  const dueAt = row.startedAt ? millis(row.dueAt) : startsAt;
  return { ...row, startsAt, endsAt: Math.max(startsAt, millis(row.finishedAt)), dueAt };
}

const runningOf = (row) => ({
  ...row,
  status: 'RUNNING',
  startsAt: millis(row.claimedAt),
  endsAt: now(),
  dueAt: millis(row.dueAt),
});

function view(page) {
  const { refusal, executions, isComplete, span } = page.data;
  return html`
    ${quickRanges(page)}
    ${refusal
      ? html`<p class="problem" role="alert">${t(refusal)}</p>`
      : html`${isComplete ? nothing : html`<p class="hint">${t('timeline.incomplete', { n: number(MOST) })}</p>`}
        ${section(t('timeline.title'), found(page, executions, span), moves(page, span))}`}
  `;
}

function searchFields(query) {
  return html`
    ${textField(query, 'group', t('col.group'))} ${textField(query, 'task', t('col.task'))}
    ${textField(query, 'worker', t('col.worker'))}
    ${field(
      'by',
      t('timeline.by'),
      choice(
        'by',
        rowsBy(query),
        ['job', 'worker'].map((by) => [by, t(`timeline.by.${by}`)]),
      ),
    )}
    ${timeFields(query)}
  `;
}

/** One job has a row for each worker, and everything else a row for each job. */
const rowsBy = ({ by, task }) => by ?? (task ? 'worker' : 'job');

/** A span that was moved or chosen stands still; one that ends now goes on. */
function moves(page, { from, to }) {
  const length = to - from;
  const spanOf = (begin, end) => linkWith(page.address, { ...page.query, from: iso(begin), to: iso(end) });
  const middle = from + length / 2;
  const half = Math.max(SHORTEST, length / 2) / 2;
  return html`<nav class="actions" aria-label=${t('timeline.moves')}>
    <a href=${spanOf(from - length / 2, to - length / 2)}>${t('timeline.earlier')}</a>
    <a href=${spanOf(from + length / 2, to + length / 2)}>${t('timeline.later')}</a>
    <a href=${spanOf(middle - half, middle + half)}>${t('timeline.closer')}</a>
    <a href=${spanOf(from - length / 2, to + length / 2)}>${t('timeline.wider')}</a>
    ${page.query.to || page.query.from
      ? html`<a href=${linkWith(page.address, { ...page.query, from: '', to: '' })}>${t('timeline.now')}</a>`
      : nothing}
  </nav>`;
}

function found(page, executions, span) {
  if (executions.length === 0) {
    return emptyNotice(t('timeline.none'));
  }
  const { group, task, worker } = page.query;
  return html`
    ${outcomes(executions, { group, task, worker, from: iso(span.from), to: iso(span.to) })}
    ${drawn({
      rows: rowsOf(executions, rowsBy(page.query)),
      span,
      choose: ({ from, to }) => page.search({ ...page.query, from: iso(from), to: iso(Math.max(to, from + SHORTEST)) }),
    })}
  `;
}

function rowsOf(executions, by) {
  const rows = new Map();
  for (const execution of executions) {
    const key = by === 'worker' ? (execution.workerId ?? '') : `${execution.nodeGroup}/${execution.taskId}`;
    if (!rows.has(key)) {
      rows.set(key, { key, text: by === 'worker' ? shortId(key) : visible(key), name: nameOf(execution, by), executions: [] });
    }
    rows.get(key).executions.push(execution);
  }
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function nameOf(execution, by) {
  if (by === 'worker') {
    return execution.workerId ? workerLink(execution.workerId, execution.nodeGroup) : t('timeline.no-worker');
  }
  return html`${jobLink(execution)} <small>${isolated(execution.nodeGroup)}</small>`;
}
