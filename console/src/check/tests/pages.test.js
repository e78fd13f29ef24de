import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { loadAll, NAVIGATION, pageAt } = await web('pages.js');
const { job } = await web('pages/job.js');
const { edit } = await web('pages/submit.js');
const { worker } = await web('pages/worker.js');
const { notFound } = await web('pages/not-found.js');

test('an address has a page, with the values in its path and in its query', async () => {
  const { definition, within, params, query, address } = await pageAt('#/jobs/orders/a%2Fb?state=DEAD&contains=x+y');

  assert.equal(definition, job);
  assert.deepEqual(params, { group: 'orders', task: 'a/b' });
  assert.deepEqual({ ...query }, { state: 'DEAD', contains: 'x y' });
  assert.equal(address, '/jobs/orders/a%2Fb');
  assert.equal(within, '/jobs');
  assert.equal((await pageAt('#/jobs/orders/tick/edit')).definition, edit);
});

test('each page of the navigation is at its address under its title, and the beginning is the first', async () => {
  const entries = NAVIGATION.flatMap(({ pages }) => pages);
  for (const { address, title } of entries) {
    const place = await pageAt(`#${address}`);
    assert.equal(place.definition.title, title);
    assert.equal(place.within, address);
  }
  assert.equal((await pageAt('')).definition.title, entries[0].title);
});

test('what is no address is not found, and what is badly encoded is taken as it is', async () => {
  assert.equal((await pageAt('#/nothing/here')).definition, notFound);
  assert.equal((await pageAt('#/jobs/orders/tick/edit/more')).definition, notFound);
  assert.deepEqual((await pageAt('#/jobs/100%/tick')).params, { group: '100%', task: 'tick' });
});

test('characters of the name of a worker that are not seen are shown in its heading', () => {
  assert.equal(worker.title({ params: { worker: 'evil\u202Eevol' } }), 'evil⟨U+202E⟩evol');
});

test('every page is where its address says', async () => {
  await loadAll();
  for (const address of ['/batches/1', '/dead/1', '/executions/1', '/workers/w', '/jobs/g/t', '/jobs/g/t/changes', '/jobs/g/t/duplicate']) {
    const { definition, within } = await pageAt(`#${address}`);
    assert.equal(typeof definition.view, 'function', address);
    assert.ok(NAVIGATION.flatMap(({ pages }) => pages).some((entry) => entry.address === within), address);
  }
});
