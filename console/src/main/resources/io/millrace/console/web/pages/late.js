import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, withQuery } from '../core/api.js';
import { now } from '../core/clock.js';
import { counted, duration, instant, span } from '../core/format.js';
import { t } from '../core/words.js';
import { badge, emptyNotice, groupLink, isolated, link, linkWith, section, table } from '../core/view.js';

const TRIGGERS = 20;

/** So many groups are shown with what is next in them, the others in a table. */
const IN_DETAIL = 10;

export const late = {
  title: 'late.title',
  question: 'late.question',
  every: 2_000,
  rows: { details: ({ group }) => group.name, 'details.*.due': keyOf, others: (group) => group.name },
  load,
  view,
};

function keyOf(row) {
  return `${row.taskId} ${row.plannedFor} ${row.attempt}`;
}

/** What is due in the groups that are late, as far as it is next in turn. */
async function load() {
  const { late: groups, lateGroups } = await get('/overview');
  const first = groups.slice(0, IN_DETAIL);
  const triggers = await Promise.all(
    first.map((group) => get(withQuery(path`/triggers/${group.name}`, { limit: TRIGGERS }))),
  );
  const details = first.map((group, i) => ({
    group,
    due: triggers[i].items.filter((trigger) => trigger.state === 'DUE'),
  }));
  return { details, others: groups.slice(IN_DETAIL), listed: groups.length, all: Number(lateGroups) };
}

function view({ data: { details, others, listed, all } }) {
  if (details.length === 0) {
    return emptyNotice(t('late.none'));
  }
  return html`${details.map(({ group, due }) =>
    section(
      html`${isolated(group.name)} <span class="badge" data-tone="bad">${t('late.by', { span: duration(group.lateBy) })}</span>`,
      html`<p>
          <strong>${t(`late.reason.${group.reason}`)}</strong>
          ${t('late.backlog', { n: Number(group.backlog), count: counted(group.backlog, group.atLeast) })}
        </p>
        ${advice(group)}
        ${due.length > 0 ? dueTable(group, due) : nothing}`,
    ),
  )}
  ${others.length > 0 ? section(t('late.others'), lateTable(others)) : nothing}
  ${all > listed ? html`<p class="hint">${t('late.not-listed', { n: all - listed, listed })}</p>` : nothing}`;
}

/** Where to go on from the reason. */
function advice({ name, reason }) {
  const workers = linkWith('/workers', { group: name });
  switch (reason) {
    case 'ALL_DRAINING':
      return html`<p class="hint"><a href=${workers}>${t('late.see-workers')}</a></p>`;
    case 'NO_FREE_SLOT':
      return html`<p class="hint">
        <a href=${linkWith('/running', { group: name })}>${t('late.see-running')}</a>
      </p>`;
    case 'NO_WORKER':
      return html`<p class="hint">${t('late.start-worker')}</p>`;
    default:
      return nothing;
  }
}

function dueTable(group, due) {
  return table({
    caption: t('late.due', { group: group.name }),
    rows: due,
    key: keyOf,
    columns: [
      {
        name: t('col.task'),
        cell: (row) => html`<a href=${link`/jobs/${group.name}/${row.taskId}`}>${isolated(row.taskId)}</a>`,
      },
      { name: t('col.planned'), cell: (row) => instant(row.plannedFor) },
      { name: t('col.late-by'), cell: (row) => span(now() - new Date(row.dueAt ?? NaN).getTime()) },
      { name: t('col.priority'), kind: 'number', cell: (row) => row.priority },
      { name: t('col.attempt'), kind: 'number', cell: (row) => row.attempt },
      { name: t('col.state'), cell: (row) => badge('state', row.state) },
      {
        name: t('col.actions'),
        kind: 'actions',
        cell: (row) =>
          html`<a href=${linkWith(`/jobs/${encodeURIComponent(group.name)}/${encodeURIComponent(row.taskId)}`, { show: 'why' })}
            >${t('late.why')}</a
          >`,
      },
    ],
  });
}

/** The groups that are late, each with its reason in a few words. */
export function lateTable(groups) {
  return table({
    caption: t('overview.late'),
    rows: groups,
    key: (group) => group.name,
    columns: [
      { name: t('col.group'), cell: (group) => groupLink(group.name) },
      { name: t('col.late-by'), cell: (group) => duration(group.lateBy) },
      { name: t('col.backlog'), kind: 'number', cell: (group) => counted(group.backlog, group.atLeast) },
      { name: t('col.reason'), cell: (group) => t(`late.reason.${group.reason}`) },
      { name: t('col.actions'), kind: 'actions', cell: () => html`<a href="#/late">${t('late.see')}</a>` },
    ],
  });
}
