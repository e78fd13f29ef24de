/** Lets node import the console's modules: with the library in place of the one that the tracker serves, and as much of a browser as they use. */

import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

register('./resolve.js', import.meta.url);

const WEB = fileURLToPath(new URL('../../main/resources/io/millrace/console/web/', import.meta.url));
const stored = new Map();

const browser = {
  localStorage: {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, String(value)),
    clear: () => stored.clear(),
  },
  navigator: { language: 'en-GB' },
  document: Object.assign(new EventTarget(), { documentElement: { dataset: {} }, hidden: false, createTreeWalker: () => ({}) }),
  HTMLElement: class {},
  customElements: { define: () => {} },
};
for (const [name, value] of Object.entries(browser)) {
  Object.defineProperty(globalThis, name, { value, configurable: true });
}

let copies = 0;

/** A module of the console, such as core/format.js. */
export const web = (path) => import(`${WEB}${path}`);

/** The same with a state of its own; what it imports is shared. */
export const fresh = (path) => import(`${WEB}${path}?${(copies += 1)}`);

/** What a template shows as text, its markup left out; of directives it may have lists that are repeated by key. */
export function textOf(template) {
  const whole = (each) => {
    if (Array.isArray(each)) {
      return each.map(whole).join('');
    }
    if (each?._$litDirective$) {
      const [items, , template] = each.values;
      return items.map(template).map(whole).join('');
    }
    return each?.strings ? each.strings.map((text, i) => text + (i < each.values.length ? whole(each.values[i]) : '')).join('') : textAlone(each);
  };
  return whole(template)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const textAlone = (value) => (['string', 'number'].includes(typeof value) ? String(value) : '');

/** Makes requests answer from here: with what a function says of method, path and body, as [status, body]. */
export function answering(answer) {
  const asked = [];
  globalThis.fetch = async (url, { method, headers, body }) => {
    asked.push({ method, url, headers, body: body && JSON.parse(body) });
    const [status, answered] = await answer({ method, url, headers });
    return new Response(status === 204 ? null : JSON.stringify(answered), { status, headers: { ETag: '"7"' } });
  };
  return asked;
}
