/** What a dead trigger shows and offers, on each page that names it. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { path, post } from './api.js';
import { ask } from './dialog.js';
import { instant } from './format.js';
import { t } from './words.js';
import { button, link } from './view.js';

/** The cause, and the first line of what the last attempt said. */
export function whyDead({ cause, message }) {
  return html`${cause ? html`<span title=${cause}>${cause}</span>` : message ? nothing : '–'}
  ${message ? html`<small title=${message}>${message}</small>` : nothing}`;
}

/** Marks a replay that died as well, with a link to what it replayed. */
export function replayBadge({ replayOf }) {
  return replayOf
    ? html`<a class="badge" data-tone="warn" href=${link`/dead/${replayOf}`} title=${t('dead.is-replay.title')}>${t('dead.is-replay')}</a>`
    : nothing;
}

export function discardButton(page, row) {
  return button(t('act.discard'), () => discardOne(page, row), {
    tone: 'danger',
    label: t('dead.discard.label', { task: row.taskId }),
  });
}

/**
 * Replays one, having asked.
 *
 * @param params other parameters than before; undefined for the same
 */
export function replayOne(page, row, params) {
  const text = [
    t(row.recurring ? 'dead.replay.text-recurring' : 'dead.replay.text-once'),
    t(params === undefined ? 'dead.replay.same-params' : 'dead.replay.other-params'),
  ].join(' ');
  return replay(page, row, { title: 'dead.replay.title', text, yes: t('act.replay') }, { params });
}

/** Replays a run that was split without the parts that succeeded, having asked. */
export function replayKeeping(page, row) {
  const question = { title: 'dead.replay-rest.title', text: t('dead.replay-rest.text'), yes: t('dead.replay-rest') };
  return replay(page, row, question, { keepSucceeded: true });
}

async function replay(page, row, { title, text, yes }, how) {
  const names = { group: row.nodeGroup, task: row.taskId };
  if (await ask({ title: t(title, names), about: which(row), text, yes })) {
    await page.act(() => post(path`/dead/${row.id}/replay`, how), t('dead.replay.done', names));
  }
}

/** Two of one job look alike but for this. */
function which({ id, diedAt }) {
  return html`${diedAt ? html`${t('dead.died')} ${instant(diedAt)} · ` : nothing}${t('dead.trigger')} ${id}`;
}

async function discardOne(page, row) {
  const names = { group: row.nodeGroup, task: row.taskId };
  const yes = await ask({
    title: t('dead.discard.title', names),
    about: which(row),
    text: t('dead.discard.text'),
    yes: t('act.discard'),
    danger: true,
  });
  if (yes) {
    await page.act(() => post(path`/dead/${row.id}/discard`), t('dead.discard.done', names));
  }
}
