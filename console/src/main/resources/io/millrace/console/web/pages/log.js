/** The log on the page of an execution: its end first, earlier lines on demand, a filter, a download. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { repeat } from '/console/lib/lit-html/directives/repeat.js';
import { address, path } from '../core/api.js';
import { now } from '../core/clock.js';
import * as reading from '../core/log.js';
import { t, word } from '../core/words.js';
import { button, choice, emptyNotice, section } from '../core/view.js';
import { localOf } from '../core/zone.js';

const LEVELS = reading.LEVELS.filter((level) => level !== 'UNKNOWN');
const LEVEL_TONES = { INFO: 'good', WARN: 'warn', ERROR: 'bad' };

/** Characters of a text that is searched for. */
const MOST_CHARS = 256;

/** Lines may arrive a little after the end of their execution. */
const STRAGGLERS_MILLIS = 10_000;
const DRAW_MILLIS = 200;
const TYPING_MILLIS = 300;

/** Pixels from an edge at which more lines are read. */
const NEAR = 40;

/** Reads the end of the log, and follows it while lines may still come. */
export async function beginLog(page, detail) {
  const log = reading.newLog(detail.id);
  page.ui.log = log;
  page.ui.follow ??= Boolean(detail.underWay);
  try {
    await reading.readEnd(log);
  } catch (failure) {
    page.ui.log = null;
    throw failure;
  }
  setTimeout(showEnd);
  log.follows = isStillWritten(detail);
  if (!log.follows) {
    log.state = 'over';
  } else if (page.isCurrent) {
    const leave = reading.follow(log, () => drawSoon(page, log), () => page.load());
    page.onLeave(() => {
      leave();
      clearTimeout(log.drawing);
      log.drawing = null;
    });
  }
}

function isStillWritten({ underWay, ended }) {
  return underWay || now() - new Date(ended.finishedAt).getTime() < STRAGGLERS_MILLIS;
}

/** Lines come by the hundred; the page is drawn for many of them at once. */
function drawSoon(page, log) {
  log.drawing ??= setTimeout(() => {
    log.drawing = null;
    if (page.isCurrent) {
      drawInPlace(page, () => reading.takeComing(log));
    }
  }, DRAW_MILLIS);
}

/** Draws what has changed; the lines that are being read stay where they are, or the end does. */
function drawInPlace(page, change = () => {}) {
  /** @type {any} */
  const area = document.getElementById('log');
  const line = area && firstVisible(area);
  const top = line?.getBoundingClientRect().top;
  change();
  page.set({});
  if (page.ui.follow) {
    showEnd();
  } else if (line?.isConnected) {
    area.scrollTop += line.getBoundingClientRect().top - top;
  }
}

function firstVisible(area) {
  const { top } = area.getBoundingClientRect();
  return [...area.children].find((line) => line.getBoundingClientRect().bottom > top);
}

function showEnd() {
  const area = document.getElementById('log');
  if (area) {
    area.scrollTop = area.scrollHeight;
  }
}

/** The section of the log. */
export function logSection(page) {
  const { log } = page.ui;
  return section(
    t('execution.log'),
    log ? html`${controls(page, log)} ${content(page, log)}` : html`<p class="loading" aria-busy="true">${t('loading')}</p>`,
    log ? html`<span class="muted" role="status">${said(log)}</span>` : nothing,
  );
}

/** What is shown of the log: it is not complete while there are more lines at either end. */
function said(log) {
  if (log.isBusy) {
    return t('execution.log.reading');
  }
  const lines = t(`execution.log-${extent(log)}`, { n: log.lines.length });
  const isPart = !reading.isWhole(log) || reading.isFiltered(log);
  return log.state === 'over' && isPart
    ? lines
    : t('execution.log-said', { state: t(`execution.log.${log.state}`), lines });
}

function extent(log) {
  if (reading.isFiltered(log)) {
    return reading.isWhole(log) ? 'found' : 'found-so-far';
  }
  if (reading.isWhole(log)) {
    return 'all';
  }
  return log.later === null ? 'last' : log.earlier === null ? 'first' : 'middle';
}

function controls(page, log) {
  const levels = LEVELS.map((level) => [level, t('execution.level-up', { level: word('level', level) })]);
  const search = (contains, millis) => {
    clearTimeout(log.typing);
    log.typing = setTimeout(() => filter(page, log, { contains: contains.trim() }), millis);
  };
  return html`<div class="actions log-controls">
    <label
      ><span class="unseen">${t('execution.level')}</span>
      ${choice('level', log.filter.level ?? '', [['', t('execution.all-levels')], ...levels], (event) =>
        filter(page, log, { level: event.currentTarget.value }),
      )}</label
    >
    <input
      type="search"
      aria-label=${t('execution.log-contains')}
      placeholder=${t('execution.log-contains')}
      maxlength=${MOST_CHARS}
      autocomplete="off"
      @input=${(event) => search(event.currentTarget.value, TYPING_MILLIS)}
      @change=${(event) => search(event.currentTarget.value, 0)}
    />
    ${log.follows ? followBox(page, log) : nothing}
    ${log.later === null ? nothing : button(t('execution.log-end'), () => toEnd(page, log))}
    <a
      class="button"
      href=${address(path`/executions/${log.id}/log/text`)}
      download=${`execution-${log.id}.log`}
      >${t('execution.log-download')}</a
    >
  </div>`;
}

function followBox(page, log) {
  const change = (event) => {
    page.set({ follow: event.currentTarget.checked });
    if (page.ui.follow) {
      toEnd(page, log);
    }
  };
  return html`<label
    ><input type="checkbox" .checked=${page.ui.follow} @change=${change} /> ${t('execution.follow')}</label
  >`;
}

/** Has the tracker find the lines, and shows the end of them. */
async function filter(page, log, change) {
  const wanted = { ...log.filter, ...change };
  if (page.isCurrent && JSON.stringify(wanted) !== JSON.stringify(log.filter)) {
    await reload(page, log, wanted);
  }
}

async function toEnd(page, log) {
  if (log.later !== null) {
    await reload(page, log, log.filter);
  }
  showEnd();
}

async function reload(page, log, wanted) {
  await read(page, log, () => reading.readEnd(log, wanted));
  showEnd();
}

async function earlier(page, log) {
  if (log.earlier !== null && !log.isBusy) {
    page.ui.follow = false;
    await read(page, log, () => reading.readEarlier(log));
  }
}

async function later(page, log) {
  if (log.later !== null && !log.isBusy) {
    await read(page, log, () => reading.readLater(log));
  }
}

/** Reads, and draws what was read; says so if it could not be read. */
async function read(page, log, from) {
  const focused = document.activeElement;
  const reads = from();
  page.set({});
  let failure = null;
  try {
    await reads;
  } catch (problem) {
    failure = problem;
  }
  if (!page.isCurrent) {
    return;
  }
  drawInPlace(page);
  if (!focused?.isConnected) {
    document.getElementById('log')?.focus();
  }
  if (failure) {
    await page.act(() => Promise.reject(failure));
  }
}

function content(page, log) {
  const isSearch = reading.isFiltered(log);
  return html`
    ${log.earlier === null || (log.isBusy && log.lines.length === 0)
      ? nothing
      : html`<p>
          ${button(t(isSearch ? 'execution.log-search-earlier' : 'execution.log-earlier'), () => earlier(page, log))}
        </p>`}
    ${log.lines.length === 0 ? noLines(page, log) : lines(page, log)}
    ${log.later === null
      ? nothing
      : html`<p>${button(t('execution.log-later'), () => later(page, log))}</p>`}
  `;
}

function noLines(page, log) {
  if (log.isBusy) {
    return html`<p class="loading" aria-busy="true">${t('loading')}</p>`;
  }
  if (reading.isFiltered(log)) {
    return emptyNotice(t(log.earlier === null ? 'execution.log-filtered' : 'execution.log-filtered-so-far'));
  }
  return emptyNotice(t(page.data.underWay ? 'execution.log-none-yet' : 'execution.log-none'));
}

function lines(page, log) {
  const today = localOf(now(), 10);
  return html`<div
    id="log"
    class="log"
    role="log"
    tabindex="0"
    aria-live=${page.ui.follow ? 'polite' : 'off'}
    aria-busy=${log.isBusy}
    aria-label=${t('execution.log')}
    @scroll=${(event) => scrolled(page, log, event.currentTarget)}
  >
    ${repeat(
      log.lines,
      ({ sequence }) => sequence,
      ({ at, level, text }) =>
        html`<div class="line" data-level=${level}>
          <time datetime=${at} title=${at}>${clock(at, today)}</time
          ><span class="badge" data-tone=${LEVEL_TONES[level] ?? 'calm'}>${word('level', level)}</span
          ><span>${text}</span>
        </div>`,
    )}
  </div>`;
}

/** Scrolling back stops following; at the first and the last line that is here, more are read. */
function scrolled(page, log, area) {
  const toEndOfArea = area.scrollHeight - area.scrollTop - area.clientHeight;
  if (page.ui.follow && toEndOfArea >= 8) {
    page.set({ follow: false });
  }
  if (area.scrollTop < NEAR) {
    earlier(page, log);
  } else if (toEndOfArea < NEAR) {
    later(page, log);
  }
}

/**
 * By the clocks of the zone, with the date unless it is today's. Not written by the browser: a log has thousands of lines, and that
 * takes its time.
 */
function clock(text, today) {
  const [day, time] = localOf(Date.parse(text), 23).split('T');
  return day === today ? time : `${day}\u00a0${time}`;
}
