import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, withQuery } from '../core/api.js';
import { instant } from '../core/format.js';
import { kept, searchForm, textField } from '../core/search.js';
import { t, word } from '../core/words.js';
import { choice, details, emptyNotice, field, link, newestFirst, paging, table } from '../core/view.js';

const PAGE = 50;
const API = '/api/v1/';

/** What is put on record, by the names that the API's document has for it. */
export const OPERATIONS = [
  'submitJob',
  'replaceJob',
  'pauseJob',
  'resumeJob',
  'runJob',
  'cancelJob',
  'deleteJob',
  'terminateJob',
  'terminateExecution',
  'terminateBatch',
  'replayDead',
  'replayManyDead',
  'discardDead',
  'requestBulkChange',
  'stopBulkChange',
  'drainWorker',
  'undrainWorker',
  'issueToken',
  'renewToken',
  'revokeToken',
  'restorePerson',
  'signIn',
  'signOut',
];

export const audit = {
  title: 'audit.title',
  question: 'audit.question',
  /** Who reads an entry wants it to stay where it is. */
  every: 0,
  load: ({ query: { operator, action, job, order, after } }) =>
    get(withQuery('/audit', { operator, action, job, order, after, limit: PAGE })),
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

function view(page) {
  const { items, next } = page.data;
  return html`
    ${items.length === 0 ? none(page.query, next) : list(page, items)}
    ${paging(page, next)}
  `;
}

function searchFields(query) {
  const operations = OPERATIONS.map((operation) => [operation, word('operation', operation)]);
  return html`
    ${textField(query, 'operator', t('audit.operator'))} ${textField(query, 'job', t('audit.job'))}
    ${field(
      'action',
      t('audit.action'),
      choice('action', query.action ?? '', [['', t('filter.any')], ...operations]),
    )}
    ${kept(query, 'order')}
  `;
}

function none(query, next) {
  if (next) {
    return emptyNotice(t('audit.none-here'));
  }
  return emptyNotice(t(Object.keys(query).length > 0 ? 'audit.none-found' : 'audit.none'));
}

function list(page, items) {
  /** @type {Column<Row>[]} */
  const columns = [
    { name: t('audit.at'), sorted: newestFirst(page), cell: (row) => instant(row.at) },
    { name: t('audit.operator'), cell: whoAsked },
    { name: t('audit.action'), cell: (row) => word('operation', row.action) },
    { name: t('audit.target'), cell: targetOf },
    { name: t('audit.detail'), cell: (row) => detailOf(page, row) },
    { name: t('audit.outcome'), cell: outcomeOf },
  ];
  return table({ caption: t('audit.title'), rows: items, key: (row) => row.id, columns });
}

export function whoAsked({ operator, role, address }) {
  return html`${operator} <small>${word('role', role)} · ${address}</small>`;
}

/** What was changed: of a path such as jobs/orders/tick/pause, the job and a link to it. */
function targetOf({ action, target, detail }) {
  if (action === 'submitJob' || action === 'issueToken') {
    return madeBy(detail) ?? decoded(target);
  }
  const parts = target.startsWith(API) ? target.slice(API.length).split('/') : [];
  const [kind, first, second] = parts;
  if (kind === 'jobs' && second) {
    return html`<a href="#/jobs/${first}/${second}">${decoded(first)}/${decoded(second)}</a>`;
  }
  if (kind === 'executions' && first) {
    return html`<a href="#/executions/${first}">${decoded(first)}</a>`;
  }
  if (kind === 'batches' && first) {
    return html`<a href="#/batches/${first}">${decoded(first)}</a>`;
  }
  if (kind === 'dead' && second) {
    return html`<a href="#/dead/${first}">${decoded(first)}</a>`;
  }
  if (kind === 'workers' && first) {
    return html`<a href="#/workers/${first}">${decoded(first)}</a>`;
  }
  if (kind === 'bulk-changes') {
    return html`<a href="#/bulk">${first ? decoded(first) : t('bulk-changes.title')}</a>`;
  }
  return decoded(kind === 'tokens' && first ? first : target);
}

/** What was made stands in what was sent, not in the path. */
function madeBy(detail) {
  try {
    const { nodeGroup, taskId, name } = JSON.parse(detail ?? '');
    return taskId ? html`<a href=${link`/jobs/${nodeGroup}/${taskId}`}>${nodeGroup}/${taskId}</a>` : name;
  } catch {
    return null;
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function detailOf(page, { id, detail }) {
  if (!detail) {
    return '–';
  }
  return details(page, id, t('audit.detail.show'), html`<pre tabindex="0">${pretty(detail)}</pre>`);
}

function pretty(detail) {
  try {
    return JSON.stringify(JSON.parse(detail), null, 2);
  } catch {
    return detail;
  }
}

function outcomeOf({ status, outcome }) {
  const [tone, text] = judged(status);
  return html`<span class="badge" data-tone=${tone}>${text}</span>
    ${outcome ? html`<small>${outcome}</small>` : nothing}`;
}

export function judged(status) {
  if (!status) {
    return ['warn', t('audit.unknown')];
  }
  return status < 300
    ? ['good', t('audit.done', { status })]
    : ['bad', t(status < 500 ? 'audit.refused' : 'audit.failed', { status })];
}
