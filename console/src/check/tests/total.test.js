import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { answering, fresh, textOf, web } from './setup.js';

const { dialogs } = await web('core/dialog.js');

const page = { set: () => {} };
const BUSY = [503, { detail: 'busy', code: 'COUNTS_BUSY' }];
const cut = [200, { count: 10_000, examined: 10_000, atLeast: true }];
const whole = [200, { count: 1_234_567, examined: 1_234_567, atLeast: false }];

/** The first click that a template listens for. */
function clickOf(template) {
  const found = template?.values?.map((value) => (typeof value === 'function' ? value : clickOf(value)));
  return found?.find(Boolean);
}

const settled = () => setImmediate();

/** A total of a list of history, after its first answer; asks for all of it. */
async function shownTotal(answer) {
  const asked = answering(({ url }) => (url.includes('upTo') ? answer : cut));
  const { total } = await fresh('core/total.js');
  const draw = (query = { group: 'orders' }) => total(page, '/history/count', query);
  draw();
  await settled();
  const countAll = async () => {
    clickOf(draw())();
    assert.match(textOf(draw()), /more than 10,000 Counting all/);
    await settled();
  };
  return { asked, draw, countAll };
}

test('a count that was cut can be made to the end, which is not repeated by itself', async (context) => {
  const { asked, draw, countAll } = await shownTotal(whole);
  assert.match(textOf(draw()), /^Total: more than 10,000 Count all$/);

  await countAll();

  assert.match(textOf(draw()), /^Total: 1,234,567 \(counted at \d\d:\d\d:\d\d\) Count again$/);
  const later = Date.now() + 3_600_000;
  context.mock.method(Date, 'now', () => later);
  draw();
  assert.deepEqual(
    asked.map(({ url }) => url),
    ['/api/v1/history/count?group=orders', '/api/v1/history/count?group=orders&upTo=10000000'],
  );
});

test('another search is not told of it', async () => {
  const { draw, countAll } = await shownTotal(whole);
  await countAll();

  draw({ group: 'mail' });
  await settled();

  assert.match(textOf(draw({ group: 'mail' })), /^Total: more than 10,000 Count all$/);
});

test('a count that is refused says why, and leaves the one before', async () => {
  const { draw, countAll } = await shownTotal(BUSY);

  await countAll();

  assert.match(textOf(draw()), /^Total: more than 10,000 Count all$/);
  assert.match(textOf(dialogs()), /Not counted: others are counting/);
});
