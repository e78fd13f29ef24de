import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { getTexts } from '../core/api.js';
import { between, instant, number } from '../core/format.js';
import { total } from '../core/total.js';
import { t, word } from '../core/words.js';
import { kept, quickRanges, searchForm, textField, timeFields, unlessSearched } from '../core/search.js';
import { badge, choice, emptyNotice, field, groupLink, jobLink, link, newestFirst, paging, table, workerLink } from '../core/view.js';

const PAGE = 50;
const STATUSES = [
  'SUCCEEDED',
  'FAILED',
  'DEAD',
  'CANCELLED',
  'SKIPPED',
  'RETRIED',
  'POSTPONED',
  'RETURNED',
  'RESCUED',
];

/** What the span is about: the claim, unless the end is asked for. */
const TIMES = ['', 'END'];

export const history = {
  title: 'history.title',
  question: 'history.question',
  groupIn: 'group',
  every: unlessSearched(5_000),
  rows: { items: (row) => row.id },
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

async function load({ query }) {
  if (query.task && !query.group) {
    return { items: [], refusal: 'history.task-needs-group' };
  }
  const { after, order } = query;
  return getTexts('/history', { ...searchOf(query), after, order: mayBeTurned(query) ? order : undefined, limit: PAGE });
}

/** Ends have no index: the oldest of all jobs would have to be looked for. */
const mayBeTurned = ({ task, by }) => task !== undefined || by === undefined;

const searchOf = ({ group, task, status, worker, from, to, by }) => ({ group, task, status, worker, from, to, by });

function view(page) {
  const { items, next, refusal } = page.data;
  return html`
    ${quickRanges(page)}
    ${refusal
      ? html`<p class="problem" role="alert">${t(refusal)}</p>`
      : html`${total(page, '/history/count', searchOf(page.query))} ${found(page, items, next)}`}
    ${paging(page, next)}
  `;
}

function searchFields(query) {
  const offered = !query.status || STATUSES.includes(query.status) ? STATUSES : [query.status, ...STATUSES];
  const statuses = offered.map((status) => [status, statusText(status)]);
  return html`
    ${textField(query, 'group', t('col.group'))} ${textField(query, 'task', t('col.task'))}
    ${field(
      'status',
      t('col.status'),
      choice('status', query.status ?? '', [['', t('filter.any')], ...statuses]),
    )}
    ${textField(query, 'worker', t('col.worker'))} ${timeFields(query)}
    ${field('by', t('history.by'), choice('by', query.by ?? '', TIMES.map((by) => [by, t(`history.by.${by || 'CLAIM'}`)])))}
    ${kept(query, 'order')}
  `;
}

/** Charts lead to what has one of several statuses. */
const statusText = (statuses) => statuses.split(',').map((status) => word('status', status)).join(', ');

function found(page, items, next) {
  if (items.length > 0) {
    return historyTable(items, { sorted: mayBeTurned(page.query) ? page : undefined });
  }
  if (next) {
    return emptyNotice(t('history.none-here'));
  }
  return emptyNotice(
    t(Object.keys(page.query).length > 0 ? 'history.none-found' : 'history.none'),
  );
}

/**
 * How executions ended.
 *
 * @param withJob whether each says of which job it is
 * @param sorted the page, if its order can be turned round: that of the planned times of a job, or of the claims of all
 */
export function historyTable(rows, { withJob = true, sorted } = {}) {
  /** @type {Column<Row>[]} */
  const job = [
    { name: t('col.task'), cell: jobLink },
    { name: t('col.group'), cell: (row) => groupLink(row.nodeGroup) },
  ];
  return table({
    caption: t('history.title'),
    rows,
    key: (row) => row.id,
    columns: [
      { name: t('col.planned'), sorted: sorted?.query.task && newestFirst(sorted), cell: executionLink },
      ...(withJob ? job : []),
      { name: t('col.status'), cell: (row) => badge('status', row.status) },
      {
        name: t('col.attempt'),
        kind: 'number',
        cell: (row) => (row.attempt > 0 ? number(row.attempt) : '–'),
      },
      { name: t('col.started'), sorted: sorted && !sorted.query.task && newestFirst(sorted), cell: (row) => instant(row.startedAt) },
      { name: t('col.late-by'), kind: 'number', cell: (row) => between(row.dueAt, row.startedAt) },
      {
        name: t('col.ran-for'),
        kind: 'number',
        cell: (row) => between(row.startedAt, row.finishedAt),
      },
      { name: t('col.worker'), cell: (row) => workerLink(row.workerId, row.nodeGroup) },
      { name: t('col.message'), kind: 'short', cell: whatWasSaid },
    ],
  });
}

/** The instant, or a run of them that never ran and share a row. */
export function plannedFor(row) {
  return row.plannedTo
    ? html`${instant(row.plannedFor)} – ${instant(row.plannedTo)}
        <small>${t('history.instants', { n: row.instants })}</small>`
    : instant(row.plannedFor);
}

/** The cause and the first line of the message; all of it for who points at it. */
export function whatWasSaid({ cause, message }) {
  const text = [cause, message].filter(Boolean).join(': ');
  return text ? html`<span title=${text}>${text.split('\n', 1)[0]}</span>` : nothing;
}

function executionLink(row) {
  return html`<a href=${link`/executions/${row.id}`}
    >${plannedFor(row)} <span class="unseen">${t('history.details.label', { task: row.taskId })}</span></a
  >`;
}
