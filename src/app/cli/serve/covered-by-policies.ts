/** Which definitions exported policies protect beside the gate, or without it. */
import type { Connection } from '../../facts/cluster/connection.js';
import {
  bindingsPath,
  coverageOf,
  definitionsPath,
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

function observationOf({
  definition,
  denying,
  warning: warn,
  since,
  isOutdated,
}: Coverage): Observation {
  const count = (number: number): string => `${number} ${number === 1 ? 'policy' : 'policies'}`;
  const how = denying > 0 ? `denied by ${count(denying)}` : `only warned of by ${count(warn)}`;
  const what = `harmful changes of ${definition} are ${how}, since ${since}`;
  if (denying + warn === 0) {
    return warning(`the policies of ${definition} have no binding; run olm-guard vap sync`);
  }
  return isOutdated
    ? warning(`${what}, but the definition has changed since; run olm-guard vap sync`)
    : ok(what);
}
