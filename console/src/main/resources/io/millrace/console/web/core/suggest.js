/** Names that fields suggest: of node groups, workers and their labels, handlers, owners and jobs. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, signedIn, withQuery } from './api.js';
import { may } from './rights.js';

const MOST = 50;
const KNOWN = 200;
const PAUSE_MILLIS = 150;

const namesIn = async (address, query, nameOf) => /** @type {any} */ (await get(withQuery(address, query))).items.flatMap(nameOf).filter(Boolean);

const groupsLike = (text) => namesIn('/groups', { contains: text.trim(), limit: MOST }, ({ name }) => name);

/** A search is for any node group; a job is submitted to one that its author may change. */
const groupsFor = async (text, group, form) => {
  const names = await groupsLike(text);
  return form.id === 'job-form' ? names.filter((name) => may(signedIn(), 'OPERATE', name)) : names;
};

const jobsLike = (text, group) => namesIn('/jobs', { contains: text.trim(), group, limit: MOST }, ({ taskId }) => taskId);

/** Of the jobs of a node group, or of all if it has none or is still being typed. */
async function ofJobs(name, group) {
  /** @param {Query} [query] */
  const among = (query) => namesIn('/jobs', { ...query, limit: KNOWN }, (job) => job[name]);
  const own = group ? await among({ group }).catch(() => []) : [];
  return own.length > 0 ? own : among();
}

const oneShotsLike = (text, group) =>
  namesIn(path`/triggers/${group}/one-shots`, { prefix: text.trim(), limit: MOST }, ({ taskId }) => taskId);

/** A field of several labels: each suggestion is what stands before the last one, and a label that is not among it. */
async function labels(text, group) {
  const before = text.replace(/[^\s,]*$/, '');
  const taken = before.split(/[\s,]+/);
  const known = await namesIn('/workers', { group, limit: KNOWN }, (worker) => worker.labels);
  return known.filter((label) => !taken.includes(label)).map((label) => before + label);
}

/** By the name of the field: what it suggests for what is typed in it, in a search for this node group. */
const SOURCES = {
  group: groupsLike,
  nodeGroup: groupsFor,
  worker: (text) => namesIn('/workers', { contains: text.trim(), limit: MOST }, ({ id }) => id),
  handler: (text, group) => ofJobs('handler', group),
  reduce: (text, group) => ofJobs('handler', group),
  owner: (text, group) => ofJobs('owner', group),
  on: labels,
  task: jobsLike,
  taskId: jobsLike,
  contains: jobsLike,
  prefix: async (text, group) => (group && text ? oneShotsLike(text, group) : []),
};

let timer;

/** The names are put in past the templates: the page is not drawn anew while somebody types in it. */
async function suggest(input) {
  const group = (input.form.elements.namedItem('group') ?? input.form.elements.namedItem('nodeGroup'))?.value.trim();
  /** @type {string[]} */
  let names = [];
  try {
    names = await SOURCES[input.name](input.value.trimStart(), group === '' ? undefined : group, input.form);
  } catch {
    // No suggestions; what is typed is searched for nevertheless.
  }
  const options = [...new Set(names)].sort().map((name) => new Option(name, name));
  document.getElementById(input.getAttribute('list'))?.replaceChildren(...options);
}

function suggestSoon({ currentTarget: input }) {
  clearTimeout(timer);
  timer = setTimeout(() => suggest(input), PAUSE_MILLIS);
}

/** The attributes that a field of this name takes from here. */
export function suggestions(name) {
  return name in SOURCES
    ? { list: `names-of-${name}`, onFocus: suggestSoon, onInput: suggestSoon, names: html`<datalist id="names-of-${name}"></datalist>` }
    : { list: nothing, onFocus: null, onInput: null, names: nothing };
}
