/** Executions as bars over time, in a row for each job or worker; with a scale on which a span of time is chosen. */

import { html, nothing, svg } from '/console/lib/lit-html/lit-html.js';
import { repeat } from '/console/lib/lit-html/directives/repeat.js';
import { moment, number, timeOfDay } from './format.js';
import { move, showWords, wordsOf } from './runs.js';
import { t, word } from './words.js';
import { link, linkWith } from './view.js';
import { aheadOfUtc, onTheClock } from './zone.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Between the lines of the scale: the first of which there are few enough. */
const STEPS = [
  1, 2, 5, 10, 30, 60, 2 * 60, 5 * 60, 10 * 60, 30 * 60, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600, 86_400, 7 * 86_400,
].map((seconds) => seconds * SECOND);
const MOST_LINES = 8;

/** Of one bar, in pixels: WCAG asks for 24 of what is clicked. */
const LANE = 24;
const BAR = 12;

/** Bars that run at the same time lie below each other, but no deeper than this; more of them lie over each other. */
const MOST_LANES = 30;

/** In percent of the width: a bar that is narrower could not be seen. */
const NARROWEST = 0.25;

/** In percent of the width: a wait that is shorter is not drawn. */
const SHORTEST_WAIT = 0.05;

/** What was dragged is a choice from this part of the width on; less is a click. */
const SHORTEST_DRAG = 0.01;

/**
 * Whether an execution takes place from one instant to another, both in epoch milliseconds.
 *
 * @param execution with startsAt and endsAt, in epoch milliseconds
 */
export const isWithin = ({ startsAt, endsAt }, { from, to }) => endsAt >= from && startsAt < to;

/** The lines of the scale, in epoch milliseconds: whole steps by the clocks of the zone. */
export function linesOf({ from, to }) {
  const step = STEPS.find((each) => (to - from) / each <= MOST_LINES) ?? Math.ceil((to - from) / MOST_LINES / DAY) * DAY;
  const ahead = aheadOfUtc(from);
  const lines = [];
  for (let at = Math.ceil((from + ahead) / step) * step - ahead; at < to; at += step) {
    lines.push(at);
  }
  return lines;
}

/**
 * Puts executions that overlap into lanes, each into the first that is free.
 *
 * @return the executions, by their beginnings, each with the number of its lane from 0
 */
export function laned(executions) {
  /** @type {number[]} */
  const free = [];
  return [...executions]
    .sort((a, b) => a.startsAt - b.startsAt)
    .map((execution) => {
      const found = free.findIndex((at) => at <= execution.startsAt);
      const lane = Math.min(found < 0 ? free.length : found, MOST_LANES - 1);
      free[lane] = Math.max(free[lane] ?? 0, execution.endsAt);
      return { ...execution, lane };
    });
}

/**
 * @param rows of { key, name, executions }; the name is a template, each execution has startsAt, endsAt, dueAt, status, id
 * @param span from and to, in epoch milliseconds
 * @param choose is called with the span that was chosen on the scale
 */
export function timeline({ rows, span, choose }) {
  const lines = linesOf(span);
  return html`<div class="gantt" role="group" aria-label=${t('timeline.title')}>
    ${scale(span, lines, choose)}
    <svg class="lines" aria-hidden="true">
      ${lines.map((at) => svg`<line x1=${percent(at, span)} x2=${percent(at, span)} y1="0" y2="100%"></line>`)}
    </svg>
    ${repeat(
      rows,
      ({ key }) => key,
      (row) => html`<div class="name">${row.name}</div>
        ${bars(row, span)}`,
    )}
  </div>`;
}

const partOf = (at, { from, to }) => (at - from) / (to - from);

const percent = (at, span) => `${(100 * Math.min(1, Math.max(0, partOf(at, span)))).toFixed(3)}%`;

/** The pointer chooses a span on it; who has none, or no wish to drag, uses the fields and links above. */
function scale(span, lines, choose) {
  const isLong = span.to - span.from > DAY;
  const label = (at) =>
    isLong ? onTheClock(at, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }) : timeOfDay(at, { seconds: span.to - span.from < 10 * MINUTE });
  return html`<small class="name" aria-hidden="true">${t('timeline.drag')}</small>
    <svg class="scale" height="24" aria-hidden="true" @pointerdown=${(event) => drag(event, span, choose)}>
      <rect class="brush" height="24" width="0"></rect>
      ${lines.map(
        (at) => svg`<line x1=${percent(at, span)} x2=${percent(at, span)} y1="18" y2="24"></line>
          <text x=${percent(at, span)} y="14" text-anchor=${partOf(at, span) > 0.95 ? 'end' : partOf(at, span) < 0.05 ? 'start' : 'middle'}>${label(at)}</text>`,
      )}
    </svg>`;
}

/** The brush is drawn past the templates: nothing of the page is drawn anew while the pointer moves. */
function drag(down, span, choose) {
  if (down.button !== 0) {
    return;
  }
  const area = down.currentTarget;
  const brush = area.querySelector('.brush');
  const { left, width } = area.getBoundingClientRect();
  const partAt = ({ clientX }) => Math.min(1, Math.max(0, (clientX - left) / width));
  const begin = partAt(down);
  const listening = new AbortController();
  const chosen = (event) => [begin, partAt(event)].sort((a, b) => a - b);
  const onMove = (event) => {
    const [from, to] = chosen(event);
    brush.setAttribute('x', `${100 * from}%`);
    brush.setAttribute('width', `${100 * (to - from)}%`);
  };
  const onEnd = (event) => {
    listening.abort();
    brush.setAttribute('width', '0');
    const [from, to] = chosen(event);
    if (event.type === 'pointerup' && to - from >= SHORTEST_DRAG) {
      const at = (part) => Math.round(span.from + part * (span.to - span.from));
      choose({ from: at(from), to: at(to) });
    }
  };
  area.setPointerCapture(down.pointerId);
  area.addEventListener('pointermove', onMove, { signal: listening.signal });
  area.addEventListener('pointerup', onEnd, { signal: listening.signal });
  area.addEventListener('pointercancel', onEnd, { signal: listening.signal });
  down.preventDefault();
}

function bars({ text, executions }, span) {
  const shown = laned(executions.filter((execution) => isWithin(execution, span)));
  const lanes = 1 + Math.max(0, ...shown.map(({ lane }) => lane));
  return html`<svg
    class="bars"
    height=${lanes * LANE}
    role="group"
    aria-label=${t('timeline.row', { name: text, n: shown.length })}
    @keydown=${move}
    @pointerover=${showWords}
  >
    ${repeat(
      shown,
      ({ id }) => id,
      (execution, i) => bar(execution, span, i === shown.length - 1),
    )}
  </svg>`;
}

/** A thin line from when it was due, and a bar from its start to its end. In one line, as there are many: see the marks of runs. */
function bar(execution, span, isStop) {
  const { id, status, lane, startsAt, endsAt } = execution;
  const from = 100 * Math.max(0, partOf(startsAt, span));
  const width = Math.max(NARROWEST, 100 * Math.min(1, partOf(endsAt, span)) - from);
  const words = status === 'RUNNING' ? t('timeline.running', { at: moment(startsAt) }) : wordsOf(execution);
  const y = lane * LANE;
  return svg`<a href=${link`/executions/${id}`} aria-label=${words} tabindex=${isStop ? 0 : -1}><rect class="whole" x="${from - NARROWEST}%" width="${width + 2 * NARROWEST}%" y=${y}></rect>${waitOf(execution, span, y)}<rect class="run-bar ${status.toLowerCase()}" x="${from}%" width="${width}%" y=${y + (LANE - BAR) / 2}></rect></a>`;
}

const waitOf = ({ dueAt, startsAt }, span, y) =>
  100 * (partOf(startsAt, span) - partOf(dueAt, span)) < SHORTEST_WAIT
    ? nothing
    : svg`<line class="wait" x1=${percent(dueAt, span)} x2=${percent(startsAt, span)} y1=${y + LANE / 2} y2=${y + LANE / 2}></line>`;

/** How many executions have which outcome; each leads to the list of them. */
export function outcomes(executions, query) {
  const counts = new Map();
  executions.forEach(({ status }) => counts.set(status, (counts.get(status) ?? 0) + 1));
  return html`<ul class="legend">
    ${[...counts].sort().map(
      ([status, count]) => html`<li>
        <svg class="bars key" width="16" height=${BAR} aria-hidden="true"><rect class="run-bar ${status.toLowerCase()}" width="16"></rect></svg>
        ${status === 'RUNNING'
          ? html`${word('status', status)} ${number(count)}`
          : html`<a href=${linkWith('/history', { ...query, status })}>${word('status', status)} ${number(count)}</a>`}
      </li>`,
    )}
  </ul>`;
}
