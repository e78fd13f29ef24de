import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { formatOf, t, word, wordsFor } = await web('core/words.js');
const { visible } = await web('core/names.js');

test('a key without text shows', () => {
  assert.equal(t('no.such.key'), '⟦no.such.key⟧');
});

test('a number chooses the form and is written as people do; what is not given stays', () => {
  assert.equal(t('finder.keys', { n: 1 }), '1 result. Arrow keys choose, Enter opens.');
  assert.equal(t('finder.keys', { n: 1_000 }), '1,000 results. Arrow keys choose, Enter opens.');
  assert.equal(t('saved.forget', {}), 'Forget the search {name}');
});

test('what is put into a text is no pattern, and its unseen characters are seen', () => {
  assert.equal(t('saved.forget', { name: '$& {n}' }), 'Forget the search $& {n}');
  assert.equal(t('saved.forget', { name: 'a\u202eb' }), 'Forget the search a⟨U+202E⟩b');
});

test('a constant that is new is its own word', () => {
  assert.equal(word('state', 'ACTIVE'), 'active');
  assert.equal(word('state', 'FROZEN'), 'FROZEN');
  assert.equal(wordsFor('problem', undefined, {}), undefined);
});

test('a format is made once for the same options', () => {
  assert.equal(formatOf(Intl.NumberFormat, { style: 'percent' }), formatOf(Intl.NumberFormat, { style: 'percent' }));
  assert.notEqual(formatOf(Intl.NumberFormat), formatOf(Intl.NumberFormat, { style: 'percent' }));
});

test('tabs, line ends and letters of any script are seen as they are', () => {
  assert.equal(visible('a\tb\nc 任务 ü'), 'a\tb\nc 任务 ü');
  assert.equal(visible('\u0000\u200b\ufeff\u00ad'), '⟨U+0000⟩⟨U+200B⟩⟨U+FEFF⟩⟨U+00AD⟩');
});
