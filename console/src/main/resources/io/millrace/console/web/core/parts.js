/** How far the parts of a run are: a bar with one colour for each state, and the words for it. */

import { html, nothing, svg } from '/console/lib/lit-html/lit-html.js';
import { number } from './format.js';
import { linkWith } from './view.js';
import { t, word } from './words.js';

const WIDTH = 1_000;
const HEIGHT = 24;

/** The states in the order in which the bar has them; those that have rows can be listed. */
const STATES = [
  ['succeeded', 'SUCCEEDED'],
  ['skipped', 'SKIPPED'],
  ['failed', 'FAILED'],
  ['dead', 'DEAD'],
  ['cancelled', 'CANCELLED'],
  ['running', 'RUNNING'],
  ['waiting', 'WAITING'],
  ['unreleased', null],
];

export const PART_STATES = STATES.map(([, state]) => state).filter(Boolean);

/** Such as "3 of 8 parts have ended". */
export const endedOf = (parts) => t('parts.ended', { n: parts.total, ended: parts.ended });

/** The bar; hidden from those who hear the page, for the words beside it say the same. */
export function partsBar(parts) {
  let from = 0;
  return html`<svg class="parts" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${STATES.map(([name]) => {
      const width = (WIDTH * parts[name]) / Math.max(1, parts.total);
      const x = from;
      from += width;
      return width === 0
        ? nothing
        : svg`<rect class=${name} x=${x} y="0" width=${width} height=${HEIGHT}></rect>`;
    })}
  </svg>`;
}

/** What the colours of the bar mean, and how many parts each stands for, with a link to these. */
export function partsLegend(parts, address) {
  return html`<ul class="legend">
    ${STATES.filter(([name]) => parts[name] > 0).map(
      ([name, state]) =>
        html`<li>
          <svg viewBox="0 0 10 10" aria-hidden="true">${svg`<rect class=${name} width="10" height="10"></rect>`}</svg>
          ${state
            ? html`<a href=${linkWith(address, { state })}>${word('part', state)}</a>`
            : word('part', 'TO_FOLLOW')}
          ${number(parts[name])}
        </li>`,
    )}
  </ul>`;
}

/**
 * When a part waited and ran, within the time of the whole run.
 *
 * @param from when the run was split, in epoch milliseconds
 * @param to when it ended, or now
 */
export function partTime({ dueAt, claimedAt, finishedAt, state }, from, to) {
  const x = (at) => (WIDTH * (Math.min(to, Math.max(from, at)) - from)) / Math.max(1, to - from);
  const due = x(new Date(dueAt).getTime());
  const begun = claimedAt ? x(new Date(claimedAt).getTime()) : x(finishedAt ? new Date(finishedAt).getTime() : to);
  const over = x(finishedAt ? new Date(finishedAt).getTime() : to);
  return html`<svg class="parts" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${due < begun ? svg`<rect class="waiting" x=${due} y="8" width=${begun - due} height="8"></rect>` : nothing}
    ${claimedAt
      ? svg`<rect class=${state.toLowerCase()} x=${begun} y="0" width=${Math.max(6, over - begun)} height=${HEIGHT}></rect>`
      : nothing}
  </svg>`;
}
