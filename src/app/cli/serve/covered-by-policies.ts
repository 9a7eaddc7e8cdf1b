/** Which definitions exported policies protect beside the gate, or without it. */
import type { Connection } from '../../facts/cluster/connection.js';
import {
  bindingsPath,
  coverageOf,
  definitionsPath,
  describeCoverage,
  policiesPath,
  type Coverage,
} from '../../policy-sync/coverage.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { get, ok, type Observation, unknown, warning } from './observation.js';

/** @throws ClusterError when the API server does not answer */
export async function coveredByPolicies(connection: Connection): Promise<Observation[]> {
  const lists: JsonObject[][] = [];
  for (const path of [definitionsPath, policiesPath, bindingsPath]) {
    const list = await get<{ items: JsonObject[] }>(connection, path);
    if (list === 'absent') return [];
    if (list === 'forbidden') {
      return [unknown(`which definitions policies protect may not be read: ${path}`)];
    }
    lists.push(list.items);
  }
  const [definitions = [], policies = [], bindings = []] = lists;
  return coverageOf(definitions, policies, bindings).map(observationOf);
}

function observationOf(coverage: Coverage): Observation {
  const { sentence, isProblem } = describeCoverage(coverage);
  return isProblem ? warning(sentence) : ok(sentence);
}
