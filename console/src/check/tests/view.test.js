import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf, web } from './setup.js';

const { jobAddress, paging } = await web('core/view.js');

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
