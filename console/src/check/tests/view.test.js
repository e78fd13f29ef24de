import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf, web } from './setup.js';

const { paging } = await web('core/view.js');

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
