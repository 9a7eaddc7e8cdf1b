/** Which definitions of a cluster are protected by policies, and whether the policies are up to date. */
import { readDefinition } from '../../kubernetes/index.js';
import { addUse, type Need } from '../admission-policy/use.js';
import { storedResource } from '../../upgrade/index.js';
import { type JsonObject, metaOf, own, stringifyJson } from '../../text/documents/index.js';
import { objectPages, readPage, ClusterError, type ClusterView } from '../../cluster/index.js';
import { textAt, textsAt, valueAt } from '../../text/documents/fields.js';
import { definitionAnnotation, generationAnnotation } from '../admission-policy/policy.js';

// Fields of a definition that the objects of a cluster use, by the version in which they are stored.

/** Nothing where there are none. @throws ClusterError where whole objects cannot be read */
export async function useInCluster(
  crd: JsonObject,
  cluster: ClusterView,
  signal?: AbortSignal,
): Promise<Map<string, Map<string, Need>>> {
  const stored = storedResource(crd);
  if (stored === undefined) {
    throw new ClusterError('no version is served, so that nobody can list the objects');
  }
  // Its pins would go with the fields that the other version does not have.
  if (!stored.isStorage) {
    throw new ClusterError('its storage version is not served, so that nobody reads whole objects');
  }
  const { schema } = readDefinition(crd, stored.version);
  const needs = new Map<string, Need>();
  let count = 0;
  const pages = objectPages(cluster, stored, readPage, signal && { signal });
  for await (const { objects } of pages) {
    for (const object of objects) addUse(object, schema, needs);
    count += objects.length;
  }
  return count === 0 ? new Map() : new Map([[stored.version, needs]]);
}

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const policiesPath = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
export const bindingsPath =
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

/** On every policy that a sync has written; a sync deletes no others. */
export const syncedLabel = 'olm-guard.io/synced';

export interface Coverage {
  readonly definition: string;
  /** How many policies a binding makes deny, and how many only warn. */
  readonly denying: number;
  readonly warning: number;
  /** When the last of them was written, as in `creationTimestamp`; they take effect some seconds later. */
  readonly since: string;
  /** Whether the definition has changed since they were written, or is gone. */
  readonly isOutdated: boolean;
}

export interface KnownCoverage {
  readonly covered: readonly Coverage[];
  /** One sentence on why it is not known. */
  readonly unchecked?: string;
}

/** The coverage of every definition that a policy names. */
export async function readCoverage(view: ClusterView): Promise<KnownCoverage> {
  try {
    return { covered: await listCoverage(view) };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    // Before Kubernetes 1.30 there is no such kind.
    if (error.status === 404) return { covered: [] };
    const unchecked = `which definitions policies protect is not known: ${error.message}`;
    return { covered: [], unchecked };
  }
}

async function listCoverage(view: ClusterView): Promise<Coverage[]> {
  const group = 'admissionregistration.k8s.io';
  const policies = await view.list({ group, resource: 'validatingadmissionpolicies' });
  // Definitions are large: they are listed only if a policy names one.
  if (policies.every((policy) => definitionOf(policy) === undefined)) return [];
  const bindings = await view.list({ group, resource: 'validatingadmissionpolicybindings' });
  const definitions = await view.list({
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
  });
  return coverageOf(definitions, policies, bindings);
}

export function describeCoverage({ definition, denying, warning, since, isOutdated }: Coverage): {
  readonly sentence: string;
  readonly isProblem: boolean;
} {
  if (denying + warning === 0) {
    const sentence = `the policies of ${definition} have no binding; run olm-guard vap sync`;
    return { sentence, isProblem: true };
  }
  const count = (number: number): string => `${number} ${number === 1 ? 'policy' : 'policies'}`;
  const how = denying > 0 ? `denied by ${count(denying)}` : `only warned of by ${count(warning)}`;
  const what = `harmful changes of ${definition} are ${how}, since ${since}`;
  const then = isOutdated ? ', but the definition has changed since; run olm-guard vap sync' : '';
  return { sentence: `${what}${then}`, isProblem: isOutdated };
}

function definitionOf(policy: JsonObject): string | undefined {
  return metaOf(policy).annotation(definitionAnnotation);
}

/** Sorted by the definition's name. */
function coverageOf(
  definitions: readonly JsonObject[],
  policies: readonly JsonObject[],
  bindings: readonly JsonObject[],
): Coverage[] {
  const generations = new Map(
    definitions.map((crd) => [
      metaOf(crd).name,
      stringifyJson(valueAt(crd, 'metadata', 'generation') ?? null),
    ]),
  );
  const covered = new Map<string, Coverage>();
  for (const policy of policies) {
    const meta = metaOf(policy);
    const definition = definitionOf(policy);
    if (definition === undefined) continue;
    const own = bindings.filter((binding) => textAt(binding, 'spec', 'policyName') === meta.name);
    const isDenying = own.some((binding) =>
      textsAt(binding, 'spec', 'validationActions').includes('Deny'),
    );
    const generation = meta.annotation(generationAnnotation);
    const now = generations.get(definition);
    const earlier = covered.get(definition);
    covered.set(definition, {
      definition,
      denying: (earlier?.denying ?? 0) + Number(isDenying),
      warning: (earlier?.warning ?? 0) + Number(!isDenying && own.length > 0),
      since: [earlier?.since ?? '', ...[policy, ...own].map(writtenAt)].sort().at(-1) ?? '',
      isOutdated:
        earlier?.isOutdated === true ||
        now === undefined ||
        (generation !== undefined && generation !== now),
    });
  }
  return [...covered.values()].sort((one, other) => (one.definition < other.definition ? -1 : 1));
}

/** The API server leaves the time of an apply that changes nothing as it was. */
function writtenAt(object: JsonObject): string {
  const times = metaOf(object).managedFields.map((entry) => own(entry, 'time'));
  return (
    [textAt(object, 'metadata', 'creationTimestamp'), ...times]
      .filter((time) => typeof time === 'string')
      .sort()
      .at(-1) ?? ''
  );
}
