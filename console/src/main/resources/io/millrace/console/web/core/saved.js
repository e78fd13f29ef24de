/** Searches that the user of this browser has saved, for each page. The browser remembers them; other browsers do not have them. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { ask } from './dialog.js';
import { t } from './words.js';
import { button, field, linkWith } from './view.js';

const KEPT_AS = 'millrace.searches';

/** What a place in a list is called in queries: where one was in it is not part of a search. */
const PLACES = ['after', 'row', 'before'];

function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

const keep = (searches) => localStorage.setItem(KEPT_AS, JSON.stringify(searches));

const searchOf = ({ query }) => Object.fromEntries(Object.entries(query).filter(([name]) => !PLACES.includes(name)));

/** Those of a page, each a link, and a button that saves the search that is shown. */
export function savedSearches(page) {
  const searches = all().filter(({ address }) => address === page.address);
  const isSearch = Object.keys(searchOf(page)).length > 0;
  return searches.length === 0 && !isSearch
    ? nothing
    : html`<nav class="actions saved" aria-label=${t('saved')}>
        ${searches.map(
          ({ name, query }) => html`<span>
            <a href=${linkWith(page.address, query)}>${name}</a>
            ${button('✕', () => forget(page, name), { tone: 'quiet', label: t('saved.forget', { name }) })}
          </span>`,
        )}
        ${isSearch ? button(t('saved.save'), () => save(page), { tone: 'quiet' }) : nothing}
      </nav>`;
}

async function save(page) {
  const values = await ask({
    title: t('saved.title'),
    text: t('saved.text'),
    yes: t('saved.yes'),
    fields: field('search-name', t('saved.name'), html`<input id="search-name" name="name" required autofocus autocomplete="off" maxlength="60" />`),
  });
  if (values?.name) {
    keep([...without(page, values.name), { address: page.address, name: values.name, query: searchOf(page) }]);
    page.set({});
  }
}

function forget(page, name) {
  keep(without(page, name));
  page.set({});
}

const without = (page, name) => all().filter((search) => search.address !== page.address || search.name !== name);
