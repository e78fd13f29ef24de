/**
 * The log of an execution: some lines in a row of those that match its filter, read from the end
 * backwards, and the stream of new ones. The filter is the tracker's; only new lines are matched here.
 */

import { events, get, path, withQuery } from './api.js';

export const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'UNKNOWN'];

/** Lines of one request, and lines that are kept here. */
const LINES_AT_ONCE = 500;
const MOST_LINES = 2_000;

/** A search answers in parts: it is asked on until it has found some lines, or has gone through this many parts. */
const ENOUGH_LINES = 100;
const MOST_PARTS = 20;

/** Below every line: as "before", the end of the log. */
const END = 2_147_483_647;

const AGAIN_MILLIS = 5_000;

/**
 * A log of which nothing was read yet.
 *
 * lines: in order; earlier: where to read on backwards, null once the first line is here; later: where to read on
 * forwards, null while the last line is here; last: the sequence of the last line that was received; coming: lines that
 * were received and are not shown yet.
 */
export function newLog(id) {
  return {
    id,
    filter: {},
    lines: [],
    earlier: END,
    later: null,
    last: 0,
    coming: [],
    state: 'reading',
    isBusy: false,
    readsEnd: false,
    turn: 0,
    source: null,
  };
}

/** Whether there is no line but those that are here. */
export const isWhole = (log) => log.earlier === null && log.later === null;

export const isFiltered = ({ filter }) => Boolean(filter.level || filter.contains);

/** Reads the end anew, of what matches the filter. Takes the turn from a reading that is under way. */
export async function readEnd(log, filter = log.filter) {
  log.filter = filter;
  const read = await inTurn(log, true, (isCurrent) => readOn(log, 'before', END, isCurrent), () => {
    log.lines = [];
    log.earlier = END;
    log.later = null;
  });
  if (read) {
    log.lines = read.lines;
    log.earlier = read.next;
    log.later = null;
    log.last = Math.max(log.last, lastOf(log.lines));
    takeComing(log);
  }
}

export async function readEarlier(log) {
  const read = await inTurn(log, false, (isCurrent) => readOn(log, 'before', log.earlier, isCurrent));
  if (read) {
    log.lines = [...read.lines, ...log.lines];
    log.earlier = read.next;
    if (log.lines.length > MOST_LINES) {
      log.lines = log.lines.slice(0, MOST_LINES);
      log.later = lastOf(log.lines);
    }
  }
}

export async function readLater(log) {
  const read = await inTurn(log, true, (isCurrent) => readOn(log, 'after', log.later, isCurrent));
  if (read) {
    append(log, read.lines);
    log.later = read.next;
    takeComing(log);
  }
}

/**
 * Only one reading is under way; what an older one brings is thrown away.
 *
 * @param readsEnd whether lines that are received meanwhile belong behind what is read
 */
async function inTurn(log, readsEnd, read, onFailure = () => {}) {
  const turn = ++log.turn;
  const isCurrent = () => log.turn === turn;
  log.isBusy = true;
  log.readsEnd = readsEnd;
  try {
    const answer = await read(isCurrent);
    return isCurrent() ? answer : null;
  } catch (failure) {
    if (isCurrent()) {
      onFailure();
    }
    throw failure;
  } finally {
    if (isCurrent()) {
      log.isBusy = false;
      log.readsEnd = false;
    }
  }
}

async function readOn(log, direction, from, isCurrent) {
  const url = path`/executions/${log.id}/log`;
  /** @type {LogItem[]} */
  let lines = [];
  let place = from;
  for (let part = 0; part < MOST_PARTS && place !== null && lines.length < ENOUGH_LINES && isCurrent(); part++) {
    const { items, next } = await get(withQuery(url, { ...log.filter, [direction]: place, limit: LINES_AT_ONCE }));
    lines = direction === 'before' ? [...items, ...lines] : [...lines, ...items];
    place = next ? Number(next) : null;
  }
  return { lines, next: place };
}

function append(log, lines) {
  log.lines = [...log.lines, ...lines];
  if (log.lines.length > MOST_LINES) {
    log.lines = log.lines.slice(-MOST_LINES);
    log.earlier = log.lines[0].sequence;
  }
}

/** Shows the lines that were received, unless the last line is not here: then they are read when it is. */
export function takeComing(log) {
  if (log.readsEnd) {
    return;
  }
  const behind = lastOf(log.lines);
  const fresh = log.coming.filter((line) => line.sequence > behind && matches(log.filter, line));
  log.coming = [];
  if (log.later === null && fresh.length > 0) {
    append(log, fresh);
  }
}

const lastOf = (lines) => lines.at(-1)?.sequence ?? 0;

/** As the tracker does it. */
function matches({ level, contains }, line) {
  return (
    LEVELS.indexOf(line.level) >= LEVELS.indexOf(level || LEVELS[0]) &&
    line.text.toLowerCase().includes((contains ?? '').toLowerCase())
  );
}

/**
 * Follows the log until it is over. A browser has few connections to one host, for all its tabs: one that is hidden
 * gives its stream up, and continues behind the last line when it is looked at again.
 *
 * @param onChange called when lines have come, or the state is another one
 * @param onEnd called when the execution has ended and no line follows
 * @return ends it
 */
export function follow(log, onChange, onEnd) {
  const look = () => {
    if (document.hidden) {
      pause(log);
    } else if (!log.source && log.state !== 'over') {
      stream(log, onChange, onEnd);
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    pause(log);
  };
}

function pause(log) {
  log.source?.close();
  log.source = null;
  clearTimeout(log.again);
}

function stream(log, onChange, onEnd) {
  const source = events(withQuery(path`/executions/${log.id}/log/stream`, { after: log.last }));
  const change = (state) => {
    log.state = state;
    onChange();
  };
  log.source = source;
  source.addEventListener('open', () => change('live'));
  source.addEventListener('line', ({ data }) => {
    const line = JSON.parse(data);
    log.last = Math.max(log.last, line.sequence);
    log.coming.push(line);
    change('live');
  });
  source.addEventListener('end', () => {
    source.close();
    change('over');
    onEnd();
  });
  source.addEventListener('error', () => {
    change('broken');
    if (source.readyState === EventSource.CLOSED) {
      clearTimeout(log.again);
      log.again = setTimeout(() => stream(log, onChange, onEnd), AGAIN_MILLIS);
    }
  });
}
