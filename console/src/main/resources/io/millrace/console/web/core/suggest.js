/** Names that fields of a search suggest: of node groups, workers, handlers, owners and jobs. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, withQuery } from './api.js';

const MOST = 50;
const KNOWN = 200;
const PAUSE_MILLIS = 150;

const namesIn = async (address, query, nameOf) => (await get(withQuery(address, query))).items.map(nameOf).filter(Boolean);

const groups = () => namesIn('/groups', { limit: KNOWN }, ({ name }) => name);

const jobsLike = (text, group) => namesIn('/jobs', { contains: text, group, limit: MOST }, ({ taskId }) => taskId);

const oneShotsLike = (text, group) =>
  namesIn(path`/triggers/${group}/one-shots`, { prefix: text, limit: MOST }, ({ taskId }) => taskId);

/** By the name of the field: what it suggests for what is typed in it, in a search for this node group. */
const SOURCES = {
  group: groups,
  nodeGroup: groups,
  worker: () => namesIn('/workers', { limit: KNOWN }, ({ id }) => id),
  handler: () => namesIn('/jobs', { limit: KNOWN }, ({ handler }) => handler),
  owner: () => namesIn('/jobs', { limit: KNOWN }, ({ owner }) => owner),
  task: jobsLike,
  taskId: jobsLike,
  contains: jobsLike,
  prefix: async (text, group) => (group && text ? oneShotsLike(text, group) : []),
};

let timer;

/** The names are put in past the templates: the page is not drawn anew while somebody types in it. */
async function suggest(input) {
  const group = (input.form.elements.namedItem('group') ?? input.form.elements.namedItem('nodeGroup'))?.value.trim();
  let names = [];
  try {
    names = await SOURCES[input.name](input.value.trim(), group === '' ? undefined : group);
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
