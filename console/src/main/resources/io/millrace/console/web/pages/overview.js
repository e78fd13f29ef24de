import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, getTexts, withQuery } from '../core/api.js';
import { now } from '../core/clock.js';
import { replayBadge, whyDead } from '../core/dead-rows.js';
import { away, counted, instant, measured, number, span, timeOfDay } from '../core/format.js';
import { areRowsInUse } from '../core/held.js';
import { t } from '../core/words.js';
import { emptyNotice, groupLink, jobLink, link, linkWith, section, table, tile } from '../core/view.js';
import { lateTable } from './late.js';

const MINUTE = 60_000;
const LATE = 10;
const DEAD = 5;
const SPANS = { hour: { minutes: 60, step: 1 }, day: { minutes: 1_440, step: 15 } };
export const OUTCOMES = ['succeeded', 'retried', 'failed', 'dead', 'skipped', 'cancelled'];

/** How the history is searched for what ended so. */
export const endsOf = (...outcomes) => ({ status: outcomes.join().toUpperCase(), by: 'END' });
const TONES = { succeeded: 'good', retried: 'accent', failed: 'warn', dead: 'bad', skipped: 'calm', cancelled: 'busy' };

export const overview = {
  title: 'overview.title',
  question: 'overview.question',
  every: 2_000,
  rows: { dead: (row) => row.id, 'all.largest': (group) => group.name, 'all.late': (group) => group.name },
  load,
  view,
};

/** A first visit shows how things are now before the charts of how they were, and how many are dead before they are counted. */
async function load(page) {
  const present = page.data?.isBegun ? page.data : await loadPresent();
  const isBegun = page.data === null;
  const [series, deadCount] = isBegun ? [null, null] : await Promise.all([loadSeries(page), countDead(present)]);
  return { ...present, series, deadCount, isBegun };
}

async function loadPresent() {
  const [all, dead] = await Promise.all([get('/overview'), getTexts('/dead', { state: 'OPEN', limit: DEAD })]);
  return { all, dead: dead.items, moreDead: dead.next !== undefined };
}

/** Those that are listed count themselves. */
const countDead = ({ moreDead }) => (moreDead ? get(withQuery('/dead/count', { state: 'OPEN' })) : null);

function loadSeries(page) {
  const { minutes, step } = SPANS[page.ui.span ?? 'hour'];
  const from = new Date(now() - minutes * MINUTE).toISOString();
  return get(withQuery('/series', { from, step }));
}

function view(page) {
  const { all, series, dead } = page.data;
  const latest = page.news?.data ?? page.data;
  if (all.largest.length === 0) {
    return first(page);
  }
  return html`
    ${verdict(latest)}
    <dl class="tiles">${tiles(latest.all)}</dl>
    <div class="columns">
      ${section(
        t('overview.ended'),
        html`<millrace-chart .data=${series ? endedChart(series) : undefined}></millrace-chart>`,
        html`<div class="actions">${spanChoice(page)} <a href="#/week">${t('overview.week')}</a></div>`,
      )}
      ${section(t('overview.lateness'), html`<millrace-chart .data=${series ? latenessChart(series) : undefined}></millrace-chart>`)}
    </div>
    ${all.late.length > 0 ? lateSection(all) : nothing}
    <div class="columns">
      ${section(t('overview.groups'), groupsTable(all.largest, all.late), html`<a href="#/groups">${t('overview.all-groups')}</a>`)}
      ${section(t('overview.dead'), deadTable(dead), html`<a href="#/dead">${t('overview.all-dead')}</a>`)}
    </div>
  `;
}

function lateSection({ late, lateGroups }) {
  const more = Number(lateGroups) > LATE ? html`<a href="#/late">${t('overview.all-late', { n: Number(lateGroups) })}</a>` : nothing;
  return section(t('overview.late'), lateTable(late.slice(0, LATE)), more);
}

/** Before anything was submitted. */
function first(page) {
  return emptyNotice(
    html`${t('overview.empty')}
      ${page.maySome('OPERATE') ? html`<p><a class="button main" href="#/submit">${t('submit.title')}</a></p>` : nothing}`,
  );
}

/** The answer to the question, in a sentence for each thing that is not as it should be. */
function verdict({ all, dead, moreDead, deadCount }) {
  const findings = [];
  if (all.late.length > 0) {
    findings.push(['bad', html`<a href="#/late">${t('verdict.late', { n: Number(all.lateGroups) })}</a>`]);
  }
  const deserted = Number(all.groupsWithoutWorkers);
  if (deserted > 0) {
    const names = all.withoutWorkers;
    const shown = names.length < deserted ? [...names, '…'] : names;
    findings.push(['warn', t('verdict.no-worker', { n: deserted, names: shown.join(', ') })]);
  }
  if (dead.length > 0) {
    const count = deadCount ? counted(deadCount.count, deadCount.atLeast) : counted(dead.length, moreDead);
    findings.push(['warn', html`<a href="#/dead">${t('verdict.dead', { n: dead.length, count })}</a>`]);
  }
  if (findings.length === 0) {
    const isIdle = Number(all.executing) === 0 && all.now.startedPerSecond === 0;
    return html`<p class="verdict" data-tone=${isIdle ? 'calm' : 'good'} .style=${heightOfVerdict()}>
      ${t(isIdle ? 'verdict.idle' : 'verdict.good')}
    </p>`;
  }
  const tone = findings.some(([worst]) => worst === 'bad') ? 'bad' : 'warn';
  return html`<div class="verdict" data-tone=${tone} .style=${heightOfVerdict()}>
    <ul>
      ${findings.map(([, text]) => html`<li>${text}</li>`)}
    </ul>
  </div>`;
}

/** The rows below do not move under who points at one: the verdict stays as high as it is, and is scrolled. */
function heightOfVerdict() {
  const shown = areRowsInUse() ? document.querySelector('.verdict') : null;
  return shown ? `height: ${shown.getBoundingClientRect().height}px` : '';
}

function tiles(all) {
  const free = Number(all.slots) - Number(all.slotsInUse);
  return html`
    ${tile(
      t('tile.pace'),
      t('per-second', { rate: measured(all.now.endedPerSecond) }),
      t('tile.pace.note', { rate: measured(all.now.startedPerSecond) }),
    )}
    ${tile(
      t('tile.lateness'),
      span(all.now.averageLatenessMillis),
      t('tile.lateness.note', { span: span(Number(all.now.maxLatenessMillis)) }),
      Number(all.now.maxLatenessMillis) > 60_000 ? 'warn' : 'good',
    )}
    ${tile(
      t('tile.backlog'),
      counted(all.backlog, all.backlogAtLeast),
      t('tile.backlog.note'),
      all.late.length > 0 ? 'bad' : 'calm',
    )}
    ${tile(t('tile.executing'), number(all.executing), t('tile.executing.note'), 'busy')}
    ${tile(
      t('tile.workers'),
      number(all.workers),
      t('tile.workers.note', { free, slots: Number(all.slots), draining: Number(all.drainingWorkers) }),
      Number(all.workers) === 0 ? 'bad' : 'calm',
    )}
    ${tile(
      t('tile.hour'),
      number(all.lastHour.succeeded),
      t('tile.hour.note', {
        failed: Number(all.lastHour.failed),
        dead: Number(all.lastHour.dead),
        retried: Number(all.lastHour.retried),
      }),
      Number(all.lastHour.dead) > 0 ? 'warn' : 'good',
    )}
    ${tile(t('tile.trackers'), number(all.trackers), t('tile.trackers.note', { n: Number(all.groups) }))}
  `;
}

function spanChoice(page) {
  const current = page.ui.span ?? 'hour';
  return html`<div class="actions" role="group" aria-label=${t('overview.span')}>
    ${Object.keys(SPANS).map(
      (name) =>
        html`<button
          type="button"
          class=${name === current ? '' : 'quiet'}
          aria-pressed=${name === current}
          @click=${() => {
            page.set({ span: name });
            page.load();
          }}
        >
          ${t(`overview.span.${name}`)}
        </button>`,
    )}
  </div>`;
}

const timesOf = (series) => series.points.map(({ at }) => timeOfDay(at));

/** Leads to what belongs to each point of a series. */
const addressesOf = (page, series, more = {}) =>
  series.points.map(({ at }) => {
    const from = new Date(at);
    const to = new Date(from.getTime() + series.step * MINUTE);
    return linkWith(page, { ...more, from: from.toISOString(), to: to.toISOString() }).slice(1);
  });

function endedChart(series) {
  const sum = (outcome) => series.points.reduce((total, { happened }) => total + Number(happened[outcome]), 0);
  return {
    type: 'bar',
    labels: timesOf(series),
    unit: t('chart.per-step', { n: series.step }),
    series: OUTCOMES.filter((outcome) => outcome === 'succeeded' || sum(outcome) > 0).map((outcome) => ({
      name: t(`outcome.${outcome}`),
      values: series.points.map(({ happened }) => Number(happened[outcome])),
      tone: TONES[outcome],
      addresses: addressesOf('/history', series, endsOf(outcome)),
    })),
    addresses: addressesOf('/history', series, endsOf(...OUTCOMES)),
    summary: OUTCOMES.map((outcome) => `${t(`outcome.${outcome}`)}: ${number(sum(outcome))}`).join('; '),
  };
}

function latenessChart(series) {
  const worst = Math.max(0, ...series.points.map(({ happened }) => Number(happened.lateness.maxMillis)));
  return {
    type: 'line',
    labels: timesOf(series),
    unit: t('chart.millis'),
    series: [
      {
        name: t('chart.average'),
        values: series.points.map(({ happened }) => happened.lateness.averageMillis),
        tone: 'accent',
      },
      {
        name: t('chart.worst'),
        values: series.points.map(({ happened }) => Number(happened.lateness.maxMillis)),
        tone: 'warn',
      },
    ],
    // What was late is seen on the timeline.
    addresses: addressesOf('/timeline', series),
    summary: t('chart.lateness.summary', { span: span(worst) }),
  };
}

function groupsTable(groups, late) {
  const lateNames = new Set(late.map((group) => group.name));
  const most = Math.max(1, ...groups.map((group) => Number(group.backlog)));
  return table({
    caption: t('overview.groups'),
    rows: groups,
    key: (group) => group.name,
    columns: [
      { name: t('col.group'), cell: (group) => groupLink(group.name) },
      {
        name: t('col.backlog'),
        cell: (group) =>
          html`<meter
              class=${lateNames.has(group.name) ? 'bad' : group.atLeast ? 'warn' : ''}
              min="0"
              max=${most}
              value=${group.backlog}
              aria-label=${t('overview.backlog-of', { name: group.name })}
            ></meter>
            ${counted(group.backlog, group.atLeast)}`,
      },
      { name: t('col.oldest'), cell: (group) => away(group.oldestDue) },
      {
        name: t('col.workers'),
        kind: 'number',
        cell: (group) => html`<a href=${linkWith('/workers', { group: group.name })}>${group.workers}</a>`,
      },
      { name: t('col.slots'), kind: 'number', cell: (group) => `${group.slotsInUse} / ${group.slots}` },
    ],
  });
}

function deadTable(dead) {
  return table({
    caption: t('overview.dead'),
    rows: dead,
    key: (row) => row.id,
    empty: t('overview.no-dead'),
    columns: [
      { name: t('col.died'), cell: (row) => instant(row.diedAt, { millis: false }) },
      { name: t('col.task'), cell: (row) => html`${jobLink(row)} ${replayBadge(row)}` },
      { name: t('col.cause'), kind: 'short', cell: whyDead },
      { name: t('col.actions'), kind: 'actions', cell: (row) => html`<a href=${link`/dead/${row.id}`}>${t('overview.why-dead')}</a>` },
    ],
  });
}
