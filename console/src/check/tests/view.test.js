import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf, web } from './setup.js';

const { jobAddress, oldestFirst, paging, table } = await web('core/view.js');

const listed = (after, next) => textOf(paging({ address: '/jobs', query: { after } }, next));

test('a page of a list leads back to the one before, which is forgotten after hundreds of others', () => {
  listed('a', 'b');
  assert.match(listed('b'), /Previous/);

  for (let i = 0; i < 1_000; i++) {
    listed('a', `later-${i}`);
  }

  assert.doesNotMatch(listed('b'), /Previous/);
  assert.match(listed('later-999'), /Previous/);
});

test('the parts of a run lead to it, for they have no job of their own', () => {
  assert.equal(jobAddress({ nodeGroup: 'orders', taskId: '#42' }), '#/batches/42');
  assert.equal(jobAddress({ nodeGroup: 'orders', taskId: 'a/#42' }), '#/jobs/orders/a%2F%2342');
});

/** The order that a click on the only head of a table asks for, and how the head looks. */
function clickOnHead(sorted) {
  const asked = [];
  const page = { query: { group: 'orders', after: 'x', order: sorted.order }, search: (query) => asked.push(query) };
  const shown = table({ caption: '', rows: [1], key: (row) => row, columns: [{ name: 'Name', sorted: sorted.of(page), cell: (row) => row }] });
  clickOf(shown)();
  const arrow = /[▲▼↕]/.exec(textOf(shown))?.[0];
  return [arrow, asked[0].order, asked[0].after, asked[0].group];
}

function clickOf(template) {
  const inside = Array.isArray(template) ? template : template?.values;
  return inside?.map((value) => (typeof value === 'function' && value.length === 0 ? value : clickOf(value))).find(Boolean);
}

test('the head of a column sorts by it, turns the order round, and begins at the first page', () => {
  const named = (page) => ({ page, up: 'NAME', down: 'NAME_DESCENDING' });

  assert.deepEqual(clickOnHead({ of: named }), ['↕', 'NAME', '', 'orders']);
  assert.deepEqual(clickOnHead({ of: named, order: 'NAME' }), ['▲', 'NAME_DESCENDING', '', 'orders']);
  assert.deepEqual(clickOnHead({ of: named, order: 'NAME_DESCENDING' }), ['▼', 'NAME', '', 'orders']);
});

test('an order without an opposite is left for that of the list; that of the list has no name', () => {
  const soonest = (page) => ({ page, up: 'NEXT_FIRE' });

  assert.deepEqual(clickOnHead({ of: soonest, order: 'NEXT_FIRE' }), ['▲', '', '', 'orders']);
  assert.deepEqual(clickOnHead({ of: oldestFirst }), ['▲', 'NEWEST_FIRST', '', 'orders']);
  assert.deepEqual(clickOnHead({ of: oldestFirst, order: 'NEWEST_FIRST' }), ['▼', '', '', 'orders']);
});
