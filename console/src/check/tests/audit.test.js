import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { web } from './setup.js';

const { OPERATIONS } = await web('pages/audit.js');
const DOCUMENT = new URL('../../main/resources/io/millrace/console/openapi.json', import.meta.url);

/** The audit has nothing of it: it changes nothing although it is a POST. */
const ONLY_LOOKS = 'previewSchedule';

test('the audit can be searched for each operation that it has, which have words in both languages', async () => {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const changes = Object.values(paths).flatMap((methods) => Object.entries(methods).filter(([method]) => ['post', 'put', 'delete'].includes(method)));
  const recorded = changes.map(([, { operationId }]) => operationId).filter((operation) => operation !== ONLY_LOOKS);

  assert.deepEqual([...OPERATIONS].sort(), recorded.sort());
  for (const language of ['en', 'zh']) {
    const { words } = await web(`core/words.${language}.js`);
    assert.deepEqual(OPERATIONS.filter((operation) => !words[`operation.${operation}`]), []);
  }
});
