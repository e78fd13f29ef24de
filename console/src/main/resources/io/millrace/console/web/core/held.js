/** Lists that are read anew while somebody points at a row: what is there stays where it is. */

/** Marks a row that is in the list no more. */
export const GONE = Symbol('gone');

/** Stands for each row of a list. */
const EACH = '*';

/** Whether the pointer or the focus is among the rows of a table. */
export function areRowsInUse() {
  return document.querySelector('main tbody:is(:hover, :focus-within)') !== null;
}

/**
 * Data in which each list has the rows that it had, in their places, with their present values.
 *
 * @param lists what tells the rows of each list apart, by where the list is in the data, such as "found.items"; a list of each row of
 *     a list above it, such as "groups.*.due"
 * @return the data, and how many rows were left out of them or are gone
 */
export function held(lists, before, fresh) {
  const result = { data: fresh, added: 0, gone: 0 };
  for (const [place, key] of Object.entries(lists)) {
    for (const names of placesOf(place.split('.'), before)) {
      const [old, present] = [valueAt(before, names), valueAt(result.data, names)];
      if (Array.isArray(old) && Array.isArray(present)) {
        const rows = rowsInPlace(old, present, key);
        const keys = new Set(old.map(key));
        result.data = withValueAt(result.data, names, rows);
        result.added += present.filter((row) => !keys.has(key(row))).length;
        result.gone += rows.filter((row) => row[GONE]).length;
      }
    }
  }
  return result;
}

/** One place for each row of the list in front of a star: by then, the rows of that list are in their places. */
function placesOf(names, data) {
  const star = names.indexOf(EACH);
  const rows = star < 0 ? undefined : valueAt(data, names.slice(0, star));
  return Array.isArray(rows) ? rows.map((_, i) => [...names.slice(0, star), String(i), ...names.slice(star + 1)]) : [names];
}

function rowsInPlace(old, present, key) {
  const byKey = new Map(present.map((row) => [key(row), row]));
  const last = old.findLastIndex((row) => byKey.has(key(row)));
  const isShorter = present.length < old.length;
  return old.map((row, i) => {
    // Behind the last row that is still there, rows of a full list may only have moved to its next page.
    const isGone = i < last || isShorter;
    return byKey.get(key(row)) ?? (isGone ? { ...row, [GONE]: true } : row);
  });
}

const valueAt = (data, names) => names.reduce((value, name) => value?.[name], data);

function withValueAt(data, [name, ...rest], value) {
  const copy = Array.isArray(data) ? [...data] : { ...data };
  copy[name] = rest.length === 0 ? value : withValueAt(data[name], rest, value);
  return copy;
}
