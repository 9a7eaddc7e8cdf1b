/** Exemptions of the policy that match nothing on the cluster: a name that is misspelt exempts nothing, and nothing fails by it. */
import type { Connection, OlmState } from '../../cluster/index.js';
import { exemptionsOfNothing, type Policy, type Subject } from '../../policy/index.js';
import { metaOf, readList, type JsonObject } from '../../text/documents/index.js';
import { textAt, objectsAt } from '../../text/documents/fields.js';
import { schemaKeys } from '../../upgrade/index.js';
import { append } from '../../text/long-lists.js';
import type { Logger } from '../../gate/index.js';
import { get, unknown, warning, type Observation } from './observation.js';

const definitions = 'CustomResourceDefinition';
const classic = 'operators.coreos.com';
const versions: Readonly<Record<string, string>> = {
  [definitions]: 'apiextensions.k8s.io/v1',
  OperatorGroup: `${classic}/v1`,
  ClusterServiceVersion: `${classic}/v1alpha1`,
  Subscription: `${classic}/v1alpha1`,
  InstallPlan: `${classic}/v1alpha1`,
  CatalogSource: `${classic}/v1alpha1`,
  ClusterExtension: 'olm.operatorframework.io/v1',
};

function subjectIn(kind: string, object: JsonObject): Subject {
  const { name } = metaOf(object);
  const group = kind === definitions ? name.slice(name.indexOf('.') + 1) : versions[kind];
  return { name, groups: [group?.split('/')[0] ?? ''] };
}

/** How often the gate looks: a policy is read again when its file changes. */
const intervalMilliseconds = 15_000;

/** Logs them once for each policy, as soon as the kinds are known. */
export function followExemptions(state: OlmState, policy: () => Policy, log: Logger): void {
  let last: Policy | undefined;
  setInterval(() => {
    const now = policy();
    const kinds = Object.keys(versions);
    if (now === last || kinds.some((kind) => state.unknown(kind) !== undefined)) return;
    last = now;
    const subjects = kinds.flatMap((kind) =>
      [...state.objects(kind)].map((object) => subjectIn(kind, object)),
    );
    for (const each of exemptionsOfNothing(now.exemptions, subjects))
      log.warn({ warning: each }, 'policy');
  }, intervalMilliseconds).unref();
}

/** For `doctor`, which reads definitions whole and so compares paths too. */
export async function inspectExemptions(
  connection: Connection,
  exemptions: Policy['exemptions'],
): Promise<Observation[]> {
  if (exemptions.length === 0) return [];
  const subjects: Subject[] = [];
  let found: readonly JsonObject[] = [];
  for (const [kind, version] of Object.entries(versions)) {
    const plural = `${kind.toLowerCase()}s`;
    const list = await get<JsonObject>(connection, `/apis/${version}/${plural}`);
    if (list === 'forbidden')
      return [
        unknown(`whether exemptions match something is not known: no right to list ${plural}`),
      ];
    if (list === 'absent') continue;
    const { objects } = readList(list);
    if (kind === definitions) found = objects;
    append(
      subjects,
      objects.map((object) => subjectIn(kind, object)),
    );
  }
  const idle = exemptionsOfNothing(exemptions, subjects);
  for (const { paths = [], ...others } of exemptions) {
    const concerned = found.filter(
      (each) => exemptionsOfNothing([others], [subjectIn(definitions, each)]).length === 0,
    );
    const lost = paths.filter((path) => !concerned.some((each) => hasPath(each, path)));
    if (lost.length > 0 && concerned.length > 0) {
      const names =
        concerned.length === 1 ? metaOf(concerned[0]).name : `${concerned.length} definitions`;
      idle.push(
        `the exemption ${JSON.stringify(others.reason ?? '')} names ${lost.join(', ')}, which ${names} has in no version`,
      );
    }
  }
  return idle.map(warning);
}

function hasPath(definition: JsonObject, path: string): boolean {
  const above = path.replace(/(?:\.[^.[]*|\[\*\])$/, '');
  return objectsAt(definition, 'spec', 'versions').some((each) => {
    const version = textAt(each, 'name') ?? '';
    const keys = schemaKeys(definition, version, path);
    return path === '^' || keys.length > schemaKeys(definition, version, above).length;
  });
}
