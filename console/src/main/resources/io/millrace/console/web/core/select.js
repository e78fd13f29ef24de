/** Rows of a table that are selected, to do the same with all of them. page.ui.selected has their ids. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { t } from './words.js';

/**
 * What can be done with the selected rows, as long as there are some. It stands behind the table, so that no row moves when it
 * comes, and stays in sight.
 */
export function selectionBar(chosen, buttons) {
  return chosen.length === 0
    ? nothing
    : html`<div class="actions selection" role="group" aria-label=${t('select.actions')}>
        <span>${t('select.count', { n: chosen.length })}</span> ${buttons}
      </div>`;
}

/** Those of the rows that are selected and still there. */
export function chosenOf(page, rows, idOf = (row) => row.id) {
  return rows.filter((row) => page.ui.selected?.has(idOf(row)));
}

/**
 * A column of boxes, with one for all of them at its head.
 *
 * @param nameOf what the row is called
 * @param mayBeChosen whether it has a box
 * @param idOf what the row is known by
 */
export function selectColumn(page, rows, nameOf, { mayBeChosen = () => true, idOf = (row) => row.id } = {}) {
  const ids = rows.filter(mayBeChosen).map(idOf);
  const chosen = ids.filter((id) => page.ui.selected?.has(id));
  const isAll = ids.length > 0 && chosen.length === ids.length;
  const choose = (wanted) => page.set({ selected: new Set(wanted) });
  const toggle = (id) =>
    choose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return {
    name: html`<label class="tick" data-text=${t('select.all')}
      ><input
        type="checkbox"
        aria-label=${t('select.all')}
        .checked=${isAll}
        .indeterminate=${chosen.length > 0 && !isAll}
        @change=${() => choose(isAll ? [] : ids)}
    /></label>`,
    cell: (row) =>
      mayBeChosen(row)
        ? html`<label class="tick"
            ><input
              type="checkbox"
              aria-label=${t('select.one', { name: nameOf(row) })}
              .checked=${chosen.includes(idOf(row))}
              @change=${() => toggle(idOf(row))}
          /></label>`
        : nothing,
  };
}
