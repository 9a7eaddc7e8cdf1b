/** Up to which OpenShift version an installed operator says it works. */
import {
  isObject,
  type JsonObject,
  metaOf,
  own,
  parseJson,
  stringifyJson,
} from '../../text/documents/index.js';
import { cannotUnmarshal, jsonKind, syntaxError } from '../../text/go/index.js';
import {
  classicLimit,
  limitErrorText,
  clusterCompatibility,
  type ClassicLimit,
  readRawProperties,
} from '../catalogs/upgrades/open-shift-limit.js';

/** The annotation into which OLM projects the properties that the catalog has. */
export const projectedProperties = 'operatorframework.io/properties';

/** As JSON text because 4.20 must stay 4.20: projected by OLM, or the author's `olm.properties`. */
export function bundleProperties(csv: JsonObject): string | null {
  const projected = metaOf(csv).annotation(projectedProperties);
  if (projected === undefined) {
    return metaOf(csv).annotation('olm.properties') ?? null;
  }
  try {
    const value = parseJson(projected);
    const list = isObject(value) ? own(value, 'properties') : undefined;
    return Array.isArray(list) ? stringifyJson(list) : null;
  } catch {
    return null;
  }
}

/** The limit that an installed ClusterServiceVersion sets, as OLM classic reads it. */
export function limitOfCsv(csv: JsonObject): ClassicLimit {
  const annotation = metaOf(csv).annotation(projectedProperties);
  const properties = bundleProperties(csv);
  if (properties !== null) return classicLimit(properties);
  const problem = annotation === undefined ? undefined : unreadableAnnotation(annotation);
  return problem === undefined
    ? { kind: 'none' }
    : { kind: 'unreadable', problem: `failed to unmarshal properties annotation: ${problem}` };
}

/** encoding/json's words for what OLM projects, where that is no object with a list; without one there is no limit. */
function unreadableAnnotation(text: string): string | undefined {
  const syntax = syntaxError(text);
  if (syntax !== undefined) return syntax;
  const type = 'projection.propertiesAnnotation';
  const value: unknown = JSON.parse(text);
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    return cannotUnmarshal(jsonKind(value), type);
  }
  const list: unknown = 'properties' in value ? value.properties : null;
  if (list === null) return undefined;
  return cannotUnmarshal(jsonKind(list), '[]*api.Property', 'propertiesAnnotation.properties');
}

/** Undefined where OLM reads the limit as it was written. @param properties JSON text */
export function limitProblem(properties: string): string | undefined {
  const classic = classicLimit(properties);
  if (classic.kind === 'unreadable') {
    return `OLM cannot read olm.maxOpenShiftVersion and will keep an OpenShift cluster from its next minor version: ${classic.problem}`;
  }
  // The answer does not depend on the cluster's version, as long as that is one.
  const answer = clusterCompatibility('4.0.0', properties);
  const [problem] = 'errors' in answer ? answer.errors : [];
  return problem === undefined
    ? shortenedLimit(properties)
    : `OLM v1 cannot read olm.maxOpenShiftVersion: ${limitErrorText(problem)}`;
}

/** 4.20 without quotes is a number, and a number ends without zeros. */
function shortenedLimit(properties: string): string | undefined {
  const read = readRawProperties(properties);
  if ('error' in read) return undefined;
  const { value = '' } = read.find(({ type }) => type === 'olm.maxOpenShiftVersion') ?? {};
  if (!/^\d+\.\d0?$/.test(value)) return undefined;
  const short = String(Number(value));
  return `olm.maxOpenShiftVersion is the number ${short} and no text: ${short}0 without quotes reads so, and OLM then keeps an OpenShift cluster at ${short}; write "${short}0" in quotes if that is meant`;
}

/** As OLM v1's controller reads them: what it cannot read keeps the cluster back too. */
export function clusterUpgradeBlocker(before: string, properties: string): string | undefined {
  const answer = clusterCompatibility(before, properties);
  if ('clusterError' in answer) return undefined;
  if ('errors' in answer)
    return `invalid olm.maxOpenShiftVersion: ${answer.errors.map(limitErrorText).join('; ')}`;
  return answer.blocksUpgrade ? `up to ${answer.maxOpenShiftVersion ?? ''}` : undefined;
}
