/** Clients that write definitions, OperatorGroups and ClusterServiceVersions all the time, and what the rules say of each write. */
import type { AdmissionRequest } from '../../../src/gate/admission/admission-review.js';
import { review } from '../../../src/gate/admission/review.js';
import { createReviewers } from '../../../src/gate/admission/reviewers.js';
import { judgeHere } from '../../../src/gate/admission/testing/judge-here.js';
import type { Policy } from '../../../src/policy/policy.js';
import { FolderState } from '../../../src/cluster/olm-state/folder-state.js';
import { aCsv, makeGroup, aNamespace } from '../../../src/olm/rules/objects/testing/harness.js';
import { metaOf, own, type JsonObject } from '../../../src/text/documents/index.js';
import type { TestCluster } from '../../apiserver/cluster.js';
import { createAll, pathOf, withApiVersion } from '../olm-definitions.js';
import { widgets } from '../widgets.js';

export const kinds = [
  'CustomResourceDefinition',
  'OperatorGroup',
  'ClusterServiceVersion',
] as const;
type Kind = (typeof kinds)[number];

/** One write that a client is about to make. */
export interface Write {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly object: JsonObject;
  /** What the cluster has, as the client wrote it; none for CREATE. */
  readonly old?: JsonObject;
  /** Reviewed like any other, and never stored. */
  readonly isDryRun?: boolean;
}

export interface Client {
  readonly kind: Kind;
  /** What is there before the first write. */
  readonly world: readonly JsonObject[];
  next(random: () => number): Write;
  /** Tells what became of the write. */
  done(write: Write, isAdmitted: boolean): void;
}

const resources = new Map<Kind, { group: string; resource: string }>([
  [
    'CustomResourceDefinition',
    { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  ],
  ['OperatorGroup', { group: 'operators.coreos.com', resource: 'operatorgroups' }],
  ['ClusterServiceVersion', { group: 'operators.coreos.com', resource: 'clusterserviceversions' }],
]);

/** What the rules say of a write: the same code as the gate's, without server, threads or cluster. */
export function pureRule(
  { kind, world }: Client,
  policy: Policy,
): (write: Write) => Promise<{ isAllowed: boolean; rules: ReadonlySet<string> }> {
  const state = FolderState.of(world.map(withApiVersion));
  const reviewers = createReviewers(state);
  const resource = resources.get(kind) ?? { group: '', resource: '' };
  return async ({ operation, object, old }) => {
    const { name, namespace } = metaOf(object);
    const request: AdmissionRequest = {
      uid: '1',
      kind: { group: resource.group, version: 'v1', kind },
      resource: { ...resource, version: 'v1' },
      ...{ name, operation },
      ...(namespace === undefined || namespace === '' ? {} : { namespace }),
      userInfo: { username: 'admin', groups: ['system:masters'] },
      object: operation === 'DELETE' ? null : withApiVersion(object),
      oldObject: old === undefined ? null : withApiVersion(old),
    };
    const { response, decided, unjudged } = await review(request, reviewers, {
      ...{ policy, view: state.cluster, judge: judgeHere, background: judgeHere },
      ...{ caller: 'api-server', now: new Date() },
    });
    if (unjudged !== undefined) throw new Error(`the rules say nothing of it: ${unjudged}`);
    const denied = decided.filter(({ disposition }) => disposition === 'denied');
    return {
      isAllowed: response.allowed,
      rules: new Set(denied.map(({ finding }) => finding.rule)),
    };
  };
}

/** Creates what a client's world holds, except the gate's own knowledge of it. */
export const prepare = (cluster: TestCluster, { world }: Client): Promise<void> =>
  createAll(
    cluster,
    world.filter((each) => own(each, 'kind') !== 'Namespace'),
  );

export const pathFor = ({ operation, object, isDryRun = false }: Write): string =>
  `${pathOf(object, operation === 'CREATE' ? 'collection' : 'object')}${isDryRun ? '?dryRun=All' : ''}`;

export function makeClient(index: number): Client {
  const make = [definitionClient, groupClient, csvClient][index % kinds.length];
  return (make ?? definitionClient)(`soak${index}`);
}

type Field = JsonObject & { type: string };

/** One definition whose schema is widened, narrowed and reworded at random. */
function definitionClient(name: string): Client {
  let stored = definitionOf(name, {
    mode: { type: 'string', enum: ['Fast', 'Slow'] },
    size: { type: 'integer', maximum: 100 },
  });
  let made = 0;
  return {
    kind: 'CustomResourceDefinition',
    world: [stored],
    next(random) {
      made++;
      const dice = random();
      if (dice < 0.1) {
        // Another definition each time, which would pile up if it were stored.
        const object = definitionOf(`${name}n${made}`, { size: { type: 'integer' } });
        return { operation: 'CREATE', object, isDryRun: true };
      }
      const fields = structuredClone(fieldsOf(stored));
      const names = Object.keys(fields);
      const picked = names[Math.floor(random() * names.length)] ?? 'size';
      const field = fields[picked];
      let required: string[] = [];
      if (dice < 0.35) fields[picked] = { ...field, type: 'string', description: `Turn ${made}.` };
      else if (dice < 0.5) delete fields[picked];
      else if (dice < 0.6) required = [picked];
      else if (dice < 0.7 && names.length < 12)
        fields[`field${made}`] = { type: 'integer', maximum: 10 + (made % 90) };
      else if (field?.type === 'integer')
        field['maximum'] = Number(field['maximum']) + Math.floor((random() - 0.4) * 20);
      else if (field !== undefined) field['maxLength'] = 10 + Math.floor(random() * 1000);
      return {
        operation: 'UPDATE',
        object: definitionOf(name, fields, required, made),
        old: stored,
      };
    },
    done({ object, isDryRun = false }, isAdmitted) {
      if (isAdmitted && !isDryRun) stored = object;
    },
  };
}

function definitionOf(
  name: string,
  fields: Record<string, JsonObject>,
  required: string[] = [],
  turn = 0,
): JsonObject {
  const plural = `${name}s`;
  const definition = widgets(plural) as unknown as { spec: JsonObject };
  const spec = {
    type: 'object',
    description: `Turn ${turn}.`,
    properties: fields,
    ...(required.length === 0 ? {} : { required }),
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  definition.spec['versions'] = [{ name: 'v1', served: true, storage: true, schema }];
  return { ...definition };
}

function fieldsOf(definition: JsonObject): Record<string, Field> {
  const { spec } = definition as unknown as {
    spec: {
      versions: {
        schema: {
          openAPIV3Schema: { properties: { spec: { properties: Record<string, Field> } } };
        };
      }[];
    };
  };
  return spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {};
}

/** One group with an operator in it that can only watch its own namespace. */
function groupClient(namespace: string): Client {
  let stored = makeGroup({ namespace, spec: { targetNamespaces: [namespace] } });
  let made = 0;
  const member = aCsv({ namespace, name: 'member.v1', modes: ['OwnNamespace'], owns: [] });
  return {
    kind: 'OperatorGroup',
    world: [aNamespace(namespace), stored, member],
    next(random) {
      made++;
      const update = (spec: JsonObject): Write => ({
        operation: 'UPDATE',
        object: { ...stored, spec: { ...spec, upgradeStrategy: strategy } },
        old: stored,
      });
      // Each write changes the spec, or the API server would not ask.
      const strategy = made % 2 === 0 ? 'Default' : 'TechPreviewUnsafeFailForward';
      const dice = random();
      if (dice < 0.4) return update({ targetNamespaces: [namespace] });
      if (dice < 0.6) return update({ targetNamespaces: [namespace, ''] });
      if (dice < 0.8) return update({ targetNamespaces: ['elsewhere'] });
      const name = `second${made}`;
      const object = makeGroup({ name, namespace, spec: { targetNamespaces: [namespace] } });
      return { operation: 'CREATE', object, isDryRun: true };
    },
    done({ object, isDryRun = false }, isAdmitted) {
      if (isAdmitted && !isDryRun) stored = object;
    },
  };
}

/** Operators that come and go in a namespace whose group only lets them watch that. */
function csvClient(namespace: string): Client {
  let stored: JsonObject | undefined;
  let made = 0;
  return {
    kind: 'ClusterServiceVersion',
    world: [
      aNamespace(namespace),
      makeGroup({ namespace, spec: { targetNamespaces: [namespace] } }),
    ],
    next(random) {
      if (stored !== undefined) return { operation: 'DELETE', object: stored, old: stored };
      made++;
      const modes = random() < 0.5 ? ['OwnNamespace'] : ['AllNamespaces', 'MultiNamespace'];
      const object = aCsv({ namespace, name: `operator.v${made}`, modes, owns: [] });
      return { operation: 'CREATE', object };
    },
    done({ operation, object }, isAdmitted) {
      if (isAdmitted) stored = operation === 'DELETE' ? undefined : object;
    },
  };
}
