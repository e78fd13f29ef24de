import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { web } from './setup.js';

const { laned, linesOf } = await web('core/timeline.js');
const { aboutZone, chooseZone } = await web('core/zone.js');

const { hasMoreWithin } = await web('pages/timeline.js');

const bar = (id, startsAt, endsAt) => ({ id, startsAt, endsAt });
const lanes = (...bars) => laned(bars).map(({ id, lane }) => `${id} ${lane}`);

beforeEach(() => chooseZone('utc'));

test('bars that overlap lie in lanes below one another, and a lane that is free is used again', () => {
  assert.deepEqual(lanes(bar('c', 20, 30), bar('a', 0, 10), bar('b', 5, 25), bar('d', 26, 40)), ['a 0', 'b 1', 'c 0', 'd 1']);
});

test('a bar may begin where another ends', () => {
  assert.deepEqual(lanes(bar('a', 0, 10), bar('b', 10, 20)), ['a 0', 'b 0']);
});

test('there are so many lanes and no more', () => {
  const bars = Array.from({ length: 40 }, (_, i) => bar(i, i, 1_000));

  assert.equal(Math.max(...laned(bars).map(({ lane }) => lane)), 29);
});

test('the scale has few lines, at whole steps', () => {
  const from = Date.UTC(2030, 0, 1, 10, 7);
  const hour = linesOf({ from, to: from + 3_600_000 }).map((at) => new Date(at).toISOString().slice(11, 16));

  assert.deepEqual(hour, ['10:10', '10:20', '10:30', '10:40', '10:50', '11:00']);
  for (const length of [1_000, 59_000, 86_400_000, 90 * 86_400_000, 4_000 * 86_400_000]) {
    const lines = linesOf({ from, to: from + length });
    assert.ok(lines.length <= 9, `${lines.length} lines in ${length} ms`);
    assert.ok(lines.every((at) => at >= from && at < from + length));
  }
});

test('what runs and is not listed matters to a span that it may have begun in', () => {
  const running = (...minutes) => ({ items: minutes.map((minute) => ({ claimedAt: new Date(minute * 60_000).toISOString() })), next: 'more' });
  const to = 10 * 60_000;

  assert.equal(hasMoreWithin(running(1, 9), {}, to), true);
  assert.equal(hasMoreWithin(running(1, 10), {}, to), false);
  assert.equal(hasMoreWithin({ ...running(1, 9), next: undefined }, {}, to), false);
  assert.equal(hasMoreWithin(running(1, 10), { task: 'in the order of planned times' }, to), true);
  assert.equal(hasMoreWithin(running(), {}, to), true);
});

test('days begin at midnight of the zone', () => {
  aboutZone('Asia/Kolkata');
  chooseZone('job');
  const from = Date.UTC(2030, 0, 1);

  assert.equal(new Date(linesOf({ from, to: from + 5 * 86_400_000 })[0]).toISOString(), '2030-01-01T18:30:00.000Z');
});
