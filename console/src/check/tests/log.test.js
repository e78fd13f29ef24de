import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answering, web } from './setup.js';

const log = await web('core/log.js');

const line = (sequence, text = 'text', level = 'INFO') => ({ sequence, text, level, at: '2030-01-01T00:00:00Z' });
const lines = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => line(from + i));
const sequences = ({ lines: all }) => [all[0]?.sequence, all.at(-1)?.sequence, all.length];

/** Answers as the tracker does, of a log with so many lines; a page has at most as many as are asked for. */
const serve = (last) =>
  answering(({ url }) => {
    const query = new URL(url, 'http://t').searchParams;
    const limit = Number(query.get('limit'));
    if (query.has('after')) {
      const after = Number(query.get('after'));
      const to = Math.min(last, after + limit);
      return [200, { items: lines(after + 1, to), next: to < last ? String(to) : undefined }];
    }
    const to = Math.min(last, Number(query.get('before')) - 1);
    const from = Math.max(1, to - limit + 1);
    return [200, { items: lines(from, to), next: from > 1 ? String(from) : undefined }];
  });

test('the end is read first, and earlier lines on demand', async () => {
  serve(700);
  const reading = log.newLog('1');
  await log.readEnd(reading);
  assert.deepEqual(sequences(reading), [201, 700, 500]);
  assert.equal(log.isWhole(reading), false);

  await log.readEarlier(reading);
  assert.deepEqual(sequences(reading), [1, 700, 700]);
  assert.equal(log.isWhole(reading), true);
});

test('so many lines are kept and no more: what goes at one end is read again from there', async () => {
  serve(3_000);
  const reading = log.newLog('1');
  await log.readEnd(reading);
  for (let i = 0; i < 4; i++) {
    await log.readEarlier(reading);
  }
  assert.deepEqual(sequences(reading), [501, 2_500, 2_000]);
  assert.equal(reading.later, 2_500);

  await log.readLater(reading);
  assert.deepEqual(sequences(reading), [1_001, 3_000, 2_000]);
  assert.equal(reading.later, null);
});

test('a search is asked on until it has some lines', async () => {
  let asked = 0;
  answering(() => {
    asked++;
    return [200, { items: asked < 4 ? [] : lines(1, 120), next: '7' }];
  });
  const reading = log.newLog('1');
  await log.readEnd(reading, { contains: 'x' });

  assert.deepEqual([asked, reading.lines.length, reading.earlier], [4, 120, 7]);
});

test('a search that finds nothing ends after so many parts', async () => {
  let asked = 0;
  answering(() => {
    asked++;
    return [200, { items: [], next: '7' }];
  });
  await log.readEnd(log.newLog('1'), { contains: 'x' });

  assert.equal(asked, 20);
});

test('lines that come are shown if they match and follow; none twice', async () => {
  serve(3);
  const reading = log.newLog('1');
  await log.readEnd(reading, { level: 'WARN', contains: 'Full' });
  reading.coming = [line(3, 'disk full', 'ERROR'), line(4, 'disk FULL', 'ERROR'), line(5, 'disk full', 'INFO'), line(6, 'fine', 'ERROR')];
  log.takeComing(reading);

  assert.deepEqual(reading.lines.map(({ sequence }) => sequence), [1, 2, 3, 4]);
  assert.deepEqual(reading.coming, []);
});

test('what an older reading brings is thrown away', async () => {
  const reading = log.newLog('1');
  let answer;
  answering(() => new Promise((done) => {
    answer = done;
  }));
  const older = log.readEnd(reading);
  serve(2);
  await log.readEnd(reading, { contains: 'x' });
  answer([200, { items: lines(1, 100) }]);
  await older;

  assert.deepEqual(sequences(reading), [1, 2, 2]);
  assert.deepEqual([reading.filter, reading.isBusy], [{ contains: 'x' }, false]);
});

test('a reading that fails leaves a log that can be read again', async () => {
  serve(5);
  const reading = log.newLog('1');
  await log.readEnd(reading);
  answering(() => [503, { title: 'away' }]);

  await assert.rejects(log.readEnd(reading), { status: 503 });

  assert.deepEqual([reading.lines.length, reading.isBusy, log.isWhole(reading)], [0, false, false]);
});
