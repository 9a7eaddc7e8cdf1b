/** Exemptions of the policy that match nothing on the cluster: a name that is misspelt exempts nothing, and nothing fails by it. */
import {
  type Connection,
  type FollowedResource,
  followedResources,
  type OlmState,
} from '../../cluster/index.js';
import { exemptionsOfNothing, type Policy, type Subject } from '../../policy/index.js';
import { metaOf, readList, type JsonObject } from '../../text/documents/index.js';
import { textAt, objectsAt } from '../../text/documents/fields.js';
import { schemaKeys } from '../../upgrade/index.js';
import { append } from '../../text/long-lists.js';
import type { Logger } from '../../gate/index.js';
import { get, unknown, warning, type Observation } from './observation.js';

const definitions = 'CustomResourceDefinition';
const judgedKinds = new Set([
  definitions,
  ...['OperatorGroup', 'ClusterServiceVersion', 'Subscription', 'InstallPlan', 'CatalogSource'],
  'ClusterExtension',
]);
/** Kinds that findings, and so exemptions, are about. */
const resources = followedResources.filter(({ kind }) => judgedKinds.has(kind));

function subjectIn({ kind, resource }: FollowedResource, object: JsonObject): Subject {
  const { name } = metaOf(object);
  return {
    name,
    groups: [kind === definitions ? name.slice(name.indexOf('.') + 1) : resource.group],
  };
}

/** How often the gate looks: a policy is read again when its file changes. */
const intervalMilliseconds = 15_000;

/** Logs them once for each policy, as soon as the kinds are known. */
export function followExemptions(state: OlmState, policy: () => Policy, log: Logger): void {
  let last: Policy | undefined;
  setInterval(() => {
    const now = policy();
    if (now === last || resources.some(({ kind }) => state.unknown(kind) !== undefined)) return;
    last = now;
    const subjects = resources.flatMap((each) =>
      [...state.objects(each.kind)].map((object) => subjectIn(each, object)),
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
  let found: readonly { readonly object: JsonObject; readonly subject: Subject }[] = [];
  for (const each of resources) {
    const plural = each.resource.resource;
    const list = await get<JsonObject>(connection, `/apis/${each.apiVersion}/${plural}`);
    if (list === 'forbidden')
      return [
        unknown(`whether exemptions match something is not known: no right to list ${plural}`),
      ];
    if (list === 'absent') continue;
    const here = readList(list).objects.map((object) => ({
      object,
      subject: subjectIn(each, object),
    }));
    if (each.kind === definitions) found = here;
    append(
      subjects,
      here.map(({ subject }) => subject),
    );
  }
  const idle = exemptionsOfNothing(exemptions, subjects);
  for (const { paths = [], ...others } of exemptions) {
    const concerned = found.flatMap(({ object, subject }) =>
      exemptionsOfNothing([others], [subject]).length === 0 ? [object] : [],
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
