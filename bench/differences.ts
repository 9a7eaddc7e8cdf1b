/**
 * What a proof of a hundred thousand differences costs: `npx tsx bench/differences.ts`. An API server
 * takes no definition of that size; a proof reads what it is given, in CI too.
 */
import { proveDocuments } from '../src/upgrade/proof/testing/prove-documents.js';
import { exampleOfSpec } from '../src/upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../src/text/documents/index.js';
import { tell } from './measure.js';

const count = 100_000;
const limits = { seconds: 5, megabytes: 500 };

function definition(maxLength: number): JsonObject {
  const properties: JsonObject = {};
  for (let index = 0; index < count; index++) {
    properties[`field${index}`] = { type: 'string', maxLength };
  }
  return exampleOfSpec({ type: 'object', properties });
}

const [old, next] = [definition(63), definition(40)];
const start = process.cpuUsage();
const { results } = proveDocuments(old, next);
const { user, system } = process.cpuUsage(start);
const named = results.filter(({ path }) => path !== '').length;
const what = `proof of ${count} differences`;
tell({ what: `${what}: not named`, value: count - named, unit: ' places', limit: 0 });
tell({ what, value: (user + system) / 1e6, unit: ' s', limit: limits.seconds });
const { maxRSS } = process.resourceUsage();
tell({ what: `${what}: memory`, value: maxRSS / 1024, unit: ' MB', limit: limits.megabytes });
