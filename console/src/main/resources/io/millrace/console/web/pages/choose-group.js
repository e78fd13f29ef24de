/** What stands in place of a list as long as a token that is limited to node groups has not chosen one of them. */

import { html } from '/console/lib/lit-html/lit-html.js';
import { get, withQuery } from '../core/api.js';
import { t } from '../core/words.js';
import { isolated, linkWith, table } from '../core/view.js';

const GROUPS = 500;

export const groupsToChoose = async () => (await get(withQuery('/groups', { limit: GROUPS }))).items;

/** A link to the same page for each node group. */
export function groupChoice(page) {
  const { groupIn = '' } = page.definition;
  const address = ({ name }) => linkWith(page.address, { ...page.query, [groupIn]: name });
  return html`<p class="hint">${t('choose-group')}</p>
    ${table({
      caption: t('col.group'),
      rows: page.data,
      key: ({ name }) => name,
      empty: t('choose-group.none'),
      columns: [{ name: t('col.group'), cell: (group) => html`<a href=${address(group)}>${isolated(group.name)}</a>` }],
    })}`;
}
