/** The open dead triggers of the page Dead, grouped by what they died of. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { getTexts } from '../core/api.js';
import { instant, number } from '../core/format.js';
import { t } from '../core/words.js';
import { button, emptyNotice, jobLink, linkWith, table } from '../core/view.js';

export const BY_MESSAGE = 'message';

export const isGrouped = ({ by }) => by === BY_MESSAGE;

export const loadGroups = async (filter) => ({ failures: await getTexts('/dead/failures', filter) });

/** Between the list and the groups, with the same search. */
export function switchOfView(page) {
  const entry = (by, name) =>
    html`<a
      href=${linkWith(page.address, { ...page.query, by, like: '', after: '' })}
      aria-current=${isGrouped(page.query) === (by === BY_MESSAGE) ? 'true' : nothing}
      >${name}</a
    >`;
  return html`<nav class="actions" aria-label=${t('dead.view')}>
    ${entry('', t('dead.view.list'))} ${entry(BY_MESSAGE, t('dead.view.groups'))}
  </nav>`;
}

/**
 * The groups.
 *
 * @param replay replays rows of a group, having asked
 */
export function groups(page, replay) {
  const { items, examined, more } = page.data.failures;
  if (items.length === 0) {
    return emptyNotice(t('dead.groups.none'));
  }
  return html`<p class="hint">
      ${t(more ? 'dead.groups.newest' : 'dead.groups.all', { n: examined })} ${t('dead.groups.how')}
    </p>
    ${list(page, items, replay)}`;
}

function list(page, items, replay) {
  /** @type {Column<Group>[]} */
  const columns = [
    { name: t('dead.groups.of'), kind: 'short', cell: failure },
    { name: t('dead.groups.count'), kind: 'number', cell: (group) => membersLink(page, group) },
    { name: t('dead.groups.first'), cell: (group) => instant(group.firstAt, { millis: false }) },
    { name: t('dead.groups.last'), cell: (group) => instant(group.lastAt, { millis: false }) },
    { name: t('dead.groups.jobs'), cell: jobsOf },
  ];
  if (page.maySome('OPERATE')) {
    const cell = (group) => (mayReplay(page, group) ? replayButton(page, group, replay) : nothing);
    columns.push({ name: t('col.actions'), kind: 'actions', cell });
  }
  return table({ caption: t('dead.groups'), rows: items, columns, key: (group) => group.like });
}

/** Whether all that died of it may be replayed: of the node group that is searched, or of jobs that are all named. */
const mayReplay = (page, { jobs, someJobs }) =>
  page.may('OPERATE', page.query.nodeGroup) ||
  (Number(jobs) === someJobs.length && someJobs.every((job) => page.may('OPERATE', job.nodeGroup)));

/** What the newest one said; the cause alone if it said nothing. */
function failure({ cause, message, differ }) {
  return html`<span title=${message ?? cause ?? ''}>${message ?? cause ?? t('dead.groups.silent')}</span>
    ${message && cause ? html`<small>${cause}</small>` : nothing}
    ${differ ? html`<small>${t('dead.groups.differ')}</small>` : nothing}`;
}

function membersLink(page, group) {
  const n = group.ids.length;
  const address = linkWith(page.address, { ...page.query, by: '', after: '', state: 'OPEN', like: group.like });
  return html`<a href=${address} aria-label=${t('dead.groups.show', { n, what: textOf(group) })}>${number(n)}</a>`;
}

const textOf = ({ message, cause }) => message ?? cause ?? t('dead.groups.silent');

function jobsOf({ jobs, someJobs }) {
  const left = Number(jobs) - someJobs.length;
  return html`${someJobs.map((job, i) => html`${i > 0 ? ', ' : ''}${jobLink(job)}`)}
  ${left > 0 ? html`<small>${t('dead.groups.more-jobs', { n: left })}</small>` : nothing}`;
}

function replayButton(page, group, replay) {
  const n = group.ids.length;
  return button(t('dead.groups.replay', { n }), () => replay(page, group.ids.map((id) => ({ id }))), {
    label: t('dead.groups.replay.label', { n, what: textOf(group) }),
  });
}
