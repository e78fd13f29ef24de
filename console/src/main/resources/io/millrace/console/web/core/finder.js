/** One search for everything, opened by Ctrl-K: pages, jobs, node groups, workers, what has an id, and commands. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { repeat } from '/console/lib/lit-html/directives/repeat.js';
import { get, path, Problem, withQuery } from './api.js';
import { visible } from './names.js';
import { t, word } from './words.js';
import { link, linkWith } from './view.js';

/** From the last key to the search. */
const PAUSE_MILLIS = 150;
const OF_A_KIND = 8;

let state = null;
let changed = () => {};
let signedOut = () => {};

/**
 * @param listener is called when there is something new to show
 * @param whenSignedOut is given the failure when a search finds that the session has ended
 */
export function onFinderChange(listener, whenSignedOut) {
  changed = listener;
  signedOut = whenSignedOut;
}

/**
 * @param pages of { title, address }: those that the user may open
 * @param commands of { name, run }: those that are always there
 * @param commandsLike finds those that a text asks for
 */
export function openFinder(pages, commands, commandsLike) {
  if (state !== null || document.querySelector('dialog[open]')) {
    return;
  }
  const found = pagesLike(pages, '');
  state = { pages, commands, commandsLike, text: '', found, at: 0, timer: null, turn: 0, isLoading: false };
  changed();
  document.querySelector('dialog.finder')?.showModal();
}

export function closeFinder() {
  if (state !== null) {
    clearTimeout(state.timer);
    state = null;
    document.querySelector('dialog.finder')?.close();
    changed();
  }
}

const isIn = (name, text) => name.toLowerCase().includes(text.toLowerCase());

function pagesLike(pages, text) {
  return pages
    .filter(({ title }) => isIn(t(title), text))
    .map(({ title, address }) => ({ kind: 'page', name: t(title), address: `#${address}` }));
}

/** Some recurring jobs of this name, or part of a name, or group and beginning of a name; in this state, unless it is undefined. */
export async function jobsNamed(text, state) {
  const [first, ...rest] = text.split('/');
  const query = rest.length > 0 ? { group: first, prefix: rest.join('/'), state } : { contains: text, state };
  const { items } = await get(withQuery('/jobs', { ...query, limit: OF_A_KIND }));
  return items;
}

async function jobsLike(text) {
  const jobs = await jobsNamed(text, undefined);
  return jobs.map(({ nodeGroup, taskId }) => ({
    kind: 'job',
    name: taskId,
    note: nodeGroup,
    address: link`/jobs/${nodeGroup}/${taskId}`,
  }));
}

/** A job that runs once is only found by its whole name. */
async function oneShot(text) {
  const [group, ...rest] = text.split('/');
  const task = rest.join('/');
  if (task === '') {
    return [];
  }
  const { schedule } = await get(path`/jobs/${group}/${task}`);
  return schedule.cron || schedule.every || schedule.fixedDelay
    ? []
    : [{ kind: 'one-shot', name: task, note: group, address: link`/jobs/${group}/${task}` }];
}

/** Ids are numbers; what has the id is asked for. */
function withId(text) {
  if (!/^\d{6,20}$/.test(text)) {
    return [];
  }
  const places = { execution: '/executions', dead: '/dead', batch: '/batches' };
  return Object.entries(places).map(async ([kind, place]) => {
    await get(/** @type {any} */ (`${place}/${text}`));
    return [{ kind, name: text, address: `#${place}/${text}` }];
  });
}

async function groupsLike(text) {
  const { items } = await get(withQuery('/groups', { contains: text, limit: OF_A_KIND }));
  return items.map(({ name }) => ({ kind: 'group', name, address: linkWith('/jobs', { group: name }) }));
}

async function workersLike(text) {
  const { items } = await get(withQuery('/workers', { contains: text, limit: OF_A_KIND }));
  return items.map(({ id, group }) => ({
    kind: 'worker',
    name: id,
    note: group,
    address: linkWith(`/workers/${encodeURIComponent(id)}`, { group }),
  }));
}

/** What a search ends with: lists in which there is more. */
function further(text) {
  const [group, ...rest] = text.split('/');
  return rest.length > 0
    ? [{ kind: 'list', name: t('finder.history', { text }), address: linkWith('/history', { group, task: rest.join('/') }) }]
    : [
        { kind: 'list', name: t('finder.jobs', { text }), address: linkWith('/jobs', { contains: text }) },
        { kind: 'list', name: t('finder.dead', { text }), address: linkWith('/dead', { taskId: text }) },
      ];
}

/** What is not found, or not to be seen, is left out; the rest is shown nevertheless. */
const unlessRefused = (asked) =>
  asked.catch((failure) => {
    if (failure instanceof Problem && failure.status < 500 && failure.status !== 401) {
      return [];
    }
    throw failure;
  });

async function search(text) {
  const asked = [state.commandsLike(text), jobsLike(text), oneShot(text), groupsLike(text), workersLike(text), ...withId(text)];
  const found = await Promise.all(asked.map(unlessRefused));
  return [...found.flat(), ...further(text)];
}

function type(text) {
  clearTimeout(state.timer);
  const turn = state.turn + 1;
  const isWanted = text.trim() !== '';
  const commands = isWanted ? state.commands.filter(({ name }) => isIn(name, text.trim())) : [];
  const own = [...pagesLike(state.pages, text.trim()), ...commands];
  Object.assign(state, { text, turn, at: 0, found: own, isLoading: isWanted });
  changed();
  if (!state.isLoading) {
    return;
  }
  const isCurrent = () => state?.turn === turn;
  const end = (found) => {
    if (isCurrent()) {
      Object.assign(state, { found: [...own, ...found], isLoading: false });
      changed();
    }
  };
  const fail = (failure) => {
    if (failure.status === 401 && isCurrent()) {
      closeFinder();
      signedOut(failure);
    } else {
      end([{ kind: 'list', name: t('lost.now'), address: null }]);
    }
  };
  state.timer = setTimeout(() => search(text.trim()).then(end, fail), PAUSE_MILLIS);
}

function go(item) {
  if (item?.run) {
    closeFinder();
    item.run();
    changed();
  } else if (item?.address) {
    closeFinder();
    location.hash = item.address.slice(1);
  }
}

function press(event) {
  /** @type {Record<string, number>} */
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps && state.found.length > 0) {
    event.preventDefault();
    state.at = (state.at + steps[event.key] + state.found.length) % state.found.length;
    changed();
    document.getElementById(`found-${state.at}`)?.scrollIntoView({ block: 'nearest' });
  } else if (event.key === 'Enter' && !event.isComposing) {
    event.preventDefault();
    go(state.found[state.at]);
  }
}

/** To be put at the end of the page. */
export function finder() {
  if (state === null) {
    return nothing;
  }
  const { text, found, at, isLoading } = state;
  const escape = (event) => {
    event.preventDefault();
    closeFinder();
  };
  return html`<dialog class="finder" closedby="any" aria-label=${t('finder')} @cancel=${escape} @close=${closeFinder}>
    <input
      type="text"
      role="combobox"
      aria-label=${t('finder')}
      aria-expanded="true"
      aria-controls="found"
      aria-autocomplete="list"
      aria-activedescendant=${found.length > 0 ? `found-${at}` : nothing}
      placeholder=${t('finder.placeholder')}
      autocomplete="off"
      spellcheck="false"
      autofocus
      .value=${text}
      @input=${(event) => type(event.currentTarget.value)}
      @keydown=${press}
    />
    <ul id="found" role="listbox" aria-label=${t('finder.found')} aria-busy=${isLoading}>
      ${repeat(
        found,
        ({ kind, name, note, address }) => `${kind} ${note ?? ''} ${name} ${address}`,
        (item, i) => html`<li id="found-${i}" role="option" aria-selected=${i === at} @click=${() => go(item)}>
          <span class="badge" data-tone="calm">${word('found', item.kind)}</span>
          <span><bdi>${visible(item.name)}</bdi>${item.note ? html` <small>${visible(item.note)}</small>` : nothing}</span>
        </li>`,
      )}
    </ul>
    <p class="hint" role="status">${isLoading ? t('finder.searching') : t('finder.keys', { n: found.length })}</p>
  </dialog>`;
}

/** Ctrl-K, or Cmd-K on a Mac: what is typed into fields has no such key. */
export const isFinderKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';
