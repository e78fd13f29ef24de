import { html } from '/console/lib/lit-html/lit-html.js';
import { t } from '../core/words.js';
import { emptyNotice } from '../core/view.js';

/** What an address shows that no page has. */
export const notFound = {
  title: 'not-found.title',
  every: 0,
  load: async () => ({}),
  view: ({ address }) =>
    emptyNotice(html`${t('not-found.text', { address })} <p><a class="button" href="#/">${t('not-found.back')}</a></p>`),
};
