import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { NAVIGATION, pageAt } = await web('pages.js');
const { job } = await web('pages/job.js');
const { edit } = await web('pages/submit.js');
const { notFound } = await web('pages/not-found.js');

test('an address has a page, with the values in its path and in its query', () => {
  const { definition, params, query, address } = pageAt('#/jobs/orders/a%2Fb?state=DEAD&contains=x+y');

  assert.equal(definition, job);
  assert.deepEqual(params, { group: 'orders', task: 'a/b' });
  assert.deepEqual({ ...query }, { state: 'DEAD', contains: 'x y' });
  assert.equal(address, '/jobs/orders/a%2Fb');
  assert.equal(pageAt('#/jobs/orders/tick/edit').definition, edit);
});

test('each page of the navigation is at its address, and the beginning is the first', () => {
  const entries = NAVIGATION.flatMap(({ pages }) => pages);
  for (const { address, definition } of entries) {
    assert.equal(pageAt(`#${address}`).definition, definition, address);
  }
  assert.equal(pageAt('').definition, entries[0].definition);
});

test('what is no address is not found, and what is badly encoded is taken as it is', () => {
  assert.equal(pageAt('#/nothing/here').definition, notFound);
  assert.equal(pageAt('#/jobs/orders/tick/edit/more').definition, notFound);
  assert.deepEqual(pageAt('#/jobs/100%/tick').params, { group: '100%', task: 'tick' });
});
