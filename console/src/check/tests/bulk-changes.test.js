import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answering, fresh, textOf, web } from './setup.js';

const { onDialogChange, dialogs } = await web('core/dialog.js');
const { endOf, filterOf, progressOf, searchOf } = await web('core/bulk-changes.js');
const { bulkChanges } = await web('pages/bulk-changes.js');

const CHANGE = { id: '7', action: 'PAUSE_JOBS', filter: {}, requestedBy: 'alice', requestedAt: '2030-01-01T00:00:00Z', done: '0', failed: '0', failures: [] };

/** A module with a state of its own, of which the console was told. */
async function module() {
  const changes = await fresh('core/bulk-changes.js');
  const told = [];
  changes.onBulkChangeOfTracker({ changed: () => told.push('changed'), ended: ({ address }) => told.push(address) });
  return { ...changes, told };
}

/** A page of a list, and what was requested of it. */
function pageOf(address, query) {
  const said = [];
  const act = async (change, text) => {
    await change();
    said.push(textOf(text));
  };
  return { address, query, ui: {}, isCurrent: true, set: () => {}, onLeave: () => {}, isSignedOut: () => false, act, said };
}

/** What happens in the answers that are already there. */
const settled = () => new Promise((yes) => void setImmediate(yes));

test('the search of a page is the filter of a bulk change, and leads back to the list', () => {
  const searches = [
    ['PAUSE_JOBS', '/jobs', { group: 'orders', contains: 'x', handler: 'h', owner: 'o', state: 'ACTIVE', prefix: 'p' }, {}],
    ['CANCEL_ONE_SHOTS', '/waiting', { group: 'mail', prefix: 'letter:', handler: 'h' }, { order: 'name' }],
    ['TERMINATE_EXECUTIONS', '/running', { group: 'orders', task: 'a' }, {}],
    ['DISCARD_DEAD', '/dead', { nodeGroup: 'billing', taskId: 'pay:', from: '2030-01-01T00:00:00Z' }, { state: 'OPEN' }],
  ];
  for (const [action, address, query, more] of searches) {
    const filter = filterOf({ address, query: { ...query, ...more, after: 'place' } });
    const found = searchOf({ action, filter });
    assert.equal(found.address, address);
    assert.deepEqual(JSON.parse(JSON.stringify(found.query)), { ...query, ...more });
  }
  assert.deepEqual(filterOf({ address: '/dead', query: { taskId: 'pay:', state: 'OPEN', like: '3', by: '' } }), { prefix: 'pay:' });
});

test('what is counted is added up, said in the question, and sent with what the question gave', async () => {
  const { changeAll, forgetBulkChanges } = await module();
  const asked = answering(({ method, url }) => {
    if (method === 'POST') {
      return [201, { ...CHANGE }];
    }
    if (!url.includes('count')) {
      return [200, { items: [CHANGE] }];
    }
    const isCut = url.includes('ACTIVE') && !url.includes('upTo');
    return [200, isCut ? { count: 10_000, atLeast: true } : { count: url.includes('ACTIVE') ? 1_200_000 : 34, atLeast: false }];
  });
  const page = pageOf('/jobs', { group: 'orders' });
  let question;

  await changeAll(page, 'CANCEL_JOBS', ['ACTIVE', 'PAUSED'].map((state) => ['/jobs/count', { state }]), async (found) => {
    question = found;
    return { reason: 'stock' };
  });
  forgetBulkChanges();

  assert.deepEqual([question.n, question.count], [1_200_034, '1,200,034']);
  assert.match(question.about, /^These match: Node group orders\. The tracker makes the change/);
  assert.deepEqual(asked.find(({ method }) => method === 'POST').body, { action: 'CANCEL_JOBS', filter: { nodeGroup: 'orders' }, reason: 'stock' });
  assert.match(page.said[0], /See the progress$/);
  assert.deepEqual(
    asked.filter(({ url }) => url.includes('count')).map(({ url }) => url),
    ['/api/v1/jobs/count?state=ACTIVE', '/api/v1/jobs/count?state=ACTIVE&upTo=10000000', '/api/v1/jobs/count?state=PAUSED'],
  );
});

test('a change of everything says so, and one that is not wanted or matches nothing is not requested', async () => {
  const { changeAll, forgetBulkChanges } = await module();
  let count = 3;
  const asked = answering(({ method, url }) => (method === 'POST' ? [201, CHANGE] : [200, url.includes('count') ? { count, atLeast: false } : { items: [] }]));
  const posted = () => asked.filter(({ method }) => method === 'POST');

  await changeAll(pageOf('/running', {}), 'TERMINATE_EXECUTIONS', [['/executions/count', {}]], async () => null);
  assert.deepEqual(posted(), []);
  await changeAll(pageOf('/running', {}), 'TERMINATE_EXECUTIONS', [['/executions/count', {}]], async () => ({}));
  assert.deepEqual(posted()[0].body, { action: 'TERMINATE_EXECUTIONS', filter: {}, everything: true });
  count = 0;
  await changeAll(pageOf('/running', {}), 'TERMINATE_EXECUTIONS', [['/executions/count', {}]], () => assert.fail('asked'));
  forgetBulkChanges();

  assert.equal(posted().length, 1);
});

test('a count that fails is told, and nothing is asked', async () => {
  const { changeAll } = await module();
  answering(() => [503, { detail: 'busy', code: 'COUNTS_BUSY' }]);

  await changeAll(pageOf('/jobs', {}), 'PAUSE_JOBS', [['/jobs/count', {}]], () => assert.fail('asked'));

  assert.match(textOf(dialogs()), /Not counted: others are counting long lists/);
});

test('the page may be left while it is counted, and the button waits', async () => {
  const { changeAll } = await module();
  answering(() => [200, { count: 3, atLeast: false }]);
  const page = pageOf('/jobs', {});
  const counting = [];
  page.set = ({ isCounting }) => counting.push(isCounting);
  page.isCurrent = false;

  await changeAll(page, 'PAUSE_JOBS', [['/jobs/count', {}]], () => assert.fail('asked'));

  assert.deepEqual(counting, [true, false]);
});

test('changes under way are asked for again until there are none', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { watchBulkChanges, bulkChangesChip } = await module();
  let items = [{ ...CHANGE, done: '1234', total: '1000000' }, CHANGE];
  const asked = answering(() => [200, { items }]);
  const next = async () => {
    context.mock.timers.tick(2_000);
    await settled();
    await settled();
  };

  await watchBulkChanges();
  assert.equal(textOf(bulkChangesChip()), 'Pausing 1,234 of 1,000,000 + 1');
  items = [];
  await next();
  assert.equal(textOf(bulkChangesChip()), '');
  await next();

  assert.equal(asked.length, 2);
  assert.ok(asked.every(({ url }) => url === '/api/v1/bulk-changes?active=true'));
});

test('the end of a change that this tab requested is told once, and where it began', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  onDialogChange(() => {});
  const { changeAll, told } = await module();
  let isOver = false;
  const ended = { ...CHANGE, state: 'DONE', endedAt: '2030-01-01T00:01:00Z', total: '60', done: '60', failed: '1' };
  const asked = answering(({ method, url }) => {
    if (method === 'POST') {
      return [201, CHANGE];
    }
    return url.includes('count') ? [200, { count: 60, atLeast: false }] : [200, url.includes('/bulk-changes/') ? ended : { items: isOver ? [] : [CHANGE] }];
  });
  await changeAll(pageOf('/jobs', { group: 'orders' }), 'PAUSE_JOBS', [['/jobs/count', {}]], async () => ({}));
  await settled();
  await settled();
  assert.deepEqual(told, ['changed']);

  isOver = true;
  for (let i = 0; i < 3; i++) {
    context.mock.timers.tick(2_000);
    await settled();
    await settled();
    await settled();
  }

  assert.deepEqual(told, ['changed', '/jobs', 'changed']);
  assert.match(textOf(dialogs()), /Pause jobs: 59 of 60 done\. 1 failed\. See the progress/);
  assert.equal(asked.filter(({ url }) => url.endsWith('/bulk-changes/7')).length, 1);
});

test('a tracker that is away is asked again, and the end of the session is the end of it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { watchBulkChanges } = await module();
  let status = 503;
  const asked = answering(() => [status, {}]);
  const pass = async () => {
    context.mock.timers.tick(5_000);
    await settled();
    await settled();
  };

  await watchBulkChanges();
  await pass();
  assert.equal(asked.length, 2);
  status = 401;
  await pass();
  await pass();

  assert.equal(asked.length, 3);
});

test('how far a change is and how it ended is told in words', () => {
  assert.equal(progressOf({ ...CHANGE, action: 'DISCARD_DEAD', done: '3', total: '1000000' }), 'Discarding 3 of 1,000,000');
  assert.equal(progressOf({ ...CHANGE, action: 'CANCEL_ONE_SHOTS', done: '1500' }), 'Cancel one-shots: 1,500 so far');
  assert.equal(endOf({ ...CHANGE, total: '60', done: '20', state: 'STOPPED', endReason: 'bob' }), 'Pause jobs: 20 of 60 done. Stopped by bob');
  assert.equal(endOf({ ...CHANGE, done: '2', state: 'FAILED', endReason: 'the token was revoked' }), 'Pause jobs: 2 of 2 done. Ended early: the token was revoked');
});

const shown = (items, may = true) =>
  textOf(bulkChanges.view({ address: '/bulk', query: {}, ui: {}, data: { items }, may: (_, group) => may && group !== 'other', maySome: () => may }));

test('a change under way can be stopped by those who may operate its node group', () => {
  const items = [
    { ...CHANGE, state: 'RUNNING', filter: { nodeGroup: 'orders', contains: 'x' }, reason: 'stock', total: '60', done: '20' },
    { ...CHANGE, id: '6', state: 'RUNNING', filter: { nodeGroup: 'other' } },
    { ...CHANGE, id: '5', state: 'STOPPED', endedAt: '2030-01-01T00:01:00Z', endReason: 'bob' },
  ];
  const text = shown(items);

  assert.match(text, /Pause jobs Node group orders · Name contains x Reason: stock 20 of 60 under way – Stop /);
  assert.match(text, /Pause jobs Node group other 0 so far under way – (?!Stop)/);
  assert.match(text, /Pause jobs all 0 stopped .* Stopped by bob$/);
  assert.doesNotMatch(shown(items, false), /Stop(?!ped)/);
  assert.equal(bulkChanges.every({ data: { items } }), 2_000);
  assert.equal(bulkChanges.every({ data: { items: items.slice(2) } }), 10_000);
});

test('what failed is named with the reason, and how many more there are', () => {
  const failures = [{ name: 'orders/a', nodeGroup: 'orders', taskId: 'a', why: 'it is gone' }];
  const text = shown([{ ...CHANGE, state: 'DONE', endedAt: '2030-01-01T00:01:00Z', total: '60', done: '60', failed: '3', failures }]);

  assert.match(text, /60 of 60 3 failed orders\/a : it is gone and 2 more done/);
});

test('where there are none, it is said where they begin', () => {
  assert.match(shown([]), /There are no bulk changes\..* Jobs · Running · Waiting · Dead$/);
});
