/** OLM's objects whose size is an attack: what they cost grows with it, and no faster. */
import { expect } from 'chai';
import { type GateProcess, shippedNode, startGateProcess } from '../../bench/gate-process.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText } from '../server/reviews.js';

const group = 'operators.coreos.com';
const list = <Item>(count: number, of: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => of(index));
const owned = (count: number): object[] =>
  list(count, (index) => ({ name: `c${index}.example.com`, version: 'v1', kind: `C${index}` }));
const csv = (spec: object): object => ({
  version: '1.0.0',
  installModes: [{ type: 'OwnNamespace', supported: true }],
  ...spec,
});
const converting = (conversionCRDs: readonly string[], index = 0): object => ({
  ...{ type: 'ConversionWebhook', generateName: `w${index}`, deploymentName: 'd', conversionCRDs },
});
const plan = (count: number, of: (index: number) => object): object => ({
  plan: list(count, (index) => {
    const object = of(index) as { kind: string; metadata: { name: string } };
    const { name } = object.metadata;
    const resource = { kind: object.kind, name, manifest: JSON.stringify(object) };
    return { resolving: 'operator.v1', status: 'Unknown', resource };
  }),
});

interface Shape {
  readonly kind: 'ClusterServiceVersion' | 'InstallPlan' | 'OperatorGroup';
  readonly spec: object;
  readonly status?: object;
}

const shapes: [what: string, of: (count: number) => Shape][] = [
  [
    'definitions that it owns',
    (count) => ({
      kind: 'ClusterServiceVersion',
      spec: csv({ customresourcedefinitions: { owned: owned(count), required: owned(count) } }),
    }),
  ],
  [
    'definitions that a webhook converts and it does not own',
    (count) => ({
      kind: 'ClusterServiceVersion',
      spec: csv({
        customresourcedefinitions: { owned: owned(count) },
        webhookdefinitions: [converting(list(count, (index) => `d${index}.example.com`))],
      }),
    }),
  ],
  [
    'webhooks, install modes and definitions',
    (count) => ({
      kind: 'ClusterServiceVersion',
      spec: csv({
        installModes: list(count, () => ({ type: 'AllNamespaces', supported: true })),
        customresourcedefinitions: { owned: owned(count) },
        webhookdefinitions: list(count / 4, (index) => converting([`d${index}`], index)),
      }),
    }),
  ],
  [
    'APIs that it serves and requires',
    (count) => ({
      kind: 'ClusterServiceVersion',
      spec: csv({
        apiservicedefinitions: {
          owned: list(count, (index) => ({ group: `g${index}`, version: 'v1', kind: 'K' })),
          required: list(count, (index) => ({ group: `h${index}`, version: 'v1', kind: 'K' })),
        },
      }),
    }),
  ],
  [
    'steps with definitions',
    (count) => ({
      kind: 'InstallPlan',
      spec: { approved: true, clusterServiceVersionNames: list(count, (index) => `c${index}`) },
      status: plan(count / 4, (index) => ({
        ...{ kind: 'CustomResourceDefinition', metadata: { name: `c${index}.example.com` } },
      })),
    }),
  ],
  [
    'steps with ClusterServiceVersions',
    (count) => ({
      kind: 'InstallPlan',
      spec: { approved: true, clusterServiceVersionNames: ['c'] },
      status: plan(count / 16, (index) => ({
        ...{ kind: 'ClusterServiceVersion', metadata: { name: `c${index}`, namespace: 'ns' } },
        spec: csv({ customresourcedefinitions: { owned: owned(3) } }),
      })),
    }),
  ],
  [
    'target namespaces',
    (count) => ({
      kind: 'OperatorGroup',
      spec: { targetNamespaces: list(count, (index) => `n${index}`) },
    }),
  ],
];

const least = 4000;
const factor = 4;

describe('an object of OLM that is large', () => {
  let gate: GateProcess;
  before(async () => {
    gate = await startGateProcess([], {
      node: shippedNode,
    });
  });
  after(() => gate.stop());

  /** Milliseconds of the event loop that the answer took. */
  async function cost({ kind, spec, status = {} }: Shape): Promise<number> {
    const version = kind === 'OperatorGroup' ? 'v1' : 'v1alpha1';
    const object = {
      ...{ apiVersion: `${group}/${version}`, kind, metadata: { name: 'n', namespace: 'ns' } },
      ...{ spec, status },
    };
    const review = reviewText({
      kind: { group, version, kind },
      resource: { group, version, resource: `${kind.toLowerCase()}s` },
      ...{ name: 'n', namespace: 'ns', operation: 'CREATE', oldObject: null },
      object: JSON.parse(JSON.stringify(object)) as never,
    });
    const before = gate.loopMilliseconds() ?? 0;
    const path = '/validate?timeout=30s';
    const { status: code, text } = await send(gate.url, gate.authority, review, { path });
    expect(code, text.slice(0, 300)).to.equal(200);
    expect(responseIn(text).uid).to.be.a('string');
    expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
    return (gate.loopMilliseconds() ?? 0) - before;
  }

  for (const [what, of] of shapes) {
    it(`costs no more than its size: ${what}`, async function () {
      this.timeout(300_000);
      await cost(of(least / factor));
      const [small, large] = [await cost(of(least)), await cost(of(least * factor))];
      // Were each compared with each it would be sixteen times as much.
      expect(large).to.be.at.most((small + 100) * 2 * factor);
    });
  }
});
