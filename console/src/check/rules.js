/** Looks for faults in the console's modules, and in what checks them, with ESLint. */

import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from '../../target/check/node_modules/eslint/lib/api.js';

const HERE = dirname(fileURLToPath(import.meta.url));

const eslint = new ESLint({ cwd: join(HERE, '../..'), overrideConfigFile: join(HERE, 'eslint.config.js') });
const files = await eslint.lintFiles(['src/main/resources', 'src/check']);
const lines = files.flatMap(({ filePath, messages }) =>
  messages.map(({ line, column, ruleId, message }) => `${relative(process.cwd(), filePath)}:${line}:${column} ${ruleId}: ${message}`),
);
lines.forEach((line) => console.error(line));
console.log(`rules: ${files.length} files, ${lines.length} faults`);
process.exitCode = lines.length > 0 ? 1 : 0;
