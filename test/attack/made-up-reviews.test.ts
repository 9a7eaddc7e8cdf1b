/** Somebody who is no API server sends reviews of their own making: the gate is nobody's deputy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import { authority, type Authority, type Pair } from '../server/client-certificates.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText } from '../server/reviews.js';

const password = 'hunter2';

/** A definition as its vendor publishes it, whose objects hold a password. */
function definition(
  group: string,
  plural: string,
  kind: string,
  spec: JsonObject,
  metadata: JsonObject = {},
): JsonObject {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...metadata },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const stored = { uid: '5f0c8b1e-5a0e-4d33-9d0e-2f64d0a3d0aa', resourceVersion: '4711' };
const accounts = (schema: JsonObject, metadata: JsonObject = {}): JsonObject =>
  definition('example.com', 'accounts', 'Account', { password: schema }, metadata);
const subscriptions = (schema: JsonObject): JsonObject =>
  definition('operators.coreos.com', 'subscriptions', 'Subscription', {
    config: {
      type: 'object',
      properties: {
        env: { type: 'array', items: { type: 'object', properties: { value: schema } } },
      },
    },
  });

const vaultOperator: JsonObject = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  spec: {
    installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
      (type) => ({ type, supported: true }),
    ),
    customresourcedefinitions: {
      owned: [{ name: 'vaults.example.com', kind: 'Vault', version: 'v1' }],
    },
    install: { strategy: 'deployment', spec: { deployments: [] } },
  },
};

const cluster: readonly JsonObject[] = [
  {
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: {
      name: 'vaults-group',
      namespace: 'bank',
      annotations: { 'olm.providedAPIs': 'Vault.v1.example.com' },
    },
    spec: { targetNamespaces: ['bank'] },
    status: { namespaces: ['bank'] },
  },
  { ...vaultOperator, metadata: { name: 'vault.v1', namespace: 'bank' } },
  accounts({ type: 'string' }, stored),
  {
    apiVersion: 'example.com/v1',
    kind: 'Account',
    metadata: { name: 'root', namespace: 'bank' },
    spec: { password },
  },
  {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 'db', namespace: 'bank' },
    spec: { name: 'db', config: { env: [{ name: 'PASSWORD', value: password }] } },
  },
  ...['a', 'b', 'c'].map((name) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
  })),
];

/** Somebody who may do everything: whoever makes up a review makes up who asks, too. */
const userInfo = { username: 'kubernetes-admin', groups: ['system:masters'] };

describe('made-up reviews', () => {
  let folder: string;
  let open: GateProcess;
  let closed: GateProcess;
  let callers: Authority;
  let apiServer: Pair;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-made-up-'));
    const state = join(folder, 'state.json');
    writeFileSync(state, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: cluster }));
    callers = await authority('callers');
    writeFileSync(join(folder, 'callers.crt'), callers.pem);
    apiServer = await callers.issue('kube-apiserver');
    const args = ['--state', folder];
    open = await startGateProcess(args);
    closed = await startGateProcess([
      ...args,
      `--client-ca-file=${join(folder, 'callers.crt')}`,
      '--client-name=kube-apiserver',
    ]);
  });
  after(async () => {
    await Promise.all([open, closed].map((gate) => gate?.stop()));
    rmSync(folder, { recursive: true });
  });

  async function ask(gate: GateProcess, fields: object, pair?: Pair): Promise<string> {
    const body = reviewText({ userInfo, ...fields });
    const { status, text } = await send(gate.url, gate.authority, body, { ...pair });
    expect(status).to.equal(200);
    return JSON.stringify(responseIn(text));
  }

  /** What 36 guesses of the password's first letter are answered, with the guess itself left out. */
  async function answers(
    gate: GateProcess,
    review: (pattern: string) => object,
    pair?: Pair,
  ): Promise<Set<string>> {
    const said = new Set<string>();
    for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') {
      const pattern = `^${letter}`;
      said.add((await ask(gate, review(pattern), pair)).replaceAll(pattern, 'GUESS'));
    }
    return said;
  }

  const refusing = (pattern: string): JsonObject => ({ type: 'string', pattern });
  const update = (metadata: JsonObject) => (pattern: string) => ({
    name: 'accounts.example.com',
    oldObject: accounts({ type: 'string' }, metadata),
    object: accounts(refusing(pattern), metadata),
  });

  it('are told apart from the API server’s, which learns what breaks', async () => {
    const said = await answers(closed, update(stored), apiServer);
    expect(said.size).to.equal(2);
    expect([...said].join()).to.include('1 of 1 stored Account would be refused: bank/root');
  });

  const guesses: readonly (readonly [string, (pattern: string) => object])[] = [
    ['an update of the published definition', update({})],
    ['an update that makes up uid and version', update({ uid: 'x', resourceVersion: '1' })],
    ['an update that knows the uid', update({ ...stored, resourceVersion: '4712' })],
    [
      'an update that knows uid and version, of another definition',
      (pattern) => ({
        name: 'accounts.example.com',
        oldObject: definition(
          'operators.coreos.com',
          'subscriptions',
          'Subscription',
          {},
          { ...stored, name: 'accounts.example.com' },
        ),
        object: subscriptions(refusing(pattern)),
      }),
    ],
    [
      'an update of the definition of Subscriptions',
      (pattern) => ({
        name: 'subscriptions.operators.coreos.com',
        oldObject: subscriptions({ type: 'string' }),
        object: subscriptions(refusing(pattern)),
      }),
    ],
    [
      'an InstallPlan that brings the definition',
      (pattern) => plan('CREATE', accounts(refusing(pattern))),
    ],
    ['an InstallPlan that is updated', (pattern) => plan('UPDATE', accounts(refusing(pattern)))],
  ];

  function plan(operation: 'CREATE' | 'UPDATE', brought: JsonObject): object {
    const gvr = { group: 'operators.coreos.com', version: 'v1alpha1' };
    const step = {
      resolving: 'x',
      status: 'NotPresent',
      resource: {
        group: 'apiextensions.k8s.io',
        version: 'v1',
        kind: 'CustomResourceDefinition',
        name: 'accounts.example.com',
        manifest: JSON.stringify(brought),
      },
    };
    const object = {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'InstallPlan',
      metadata: { name: 'install-x', namespace: 'bank' },
      spec: { approved: true, approval: 'Automatic', clusterServiceVersionNames: [] },
      status: { phase: 'Installing', plan: [step] },
    };
    return {
      kind: { ...gvr, kind: 'InstallPlan' },
      resource: { ...gvr, resource: 'installplans' },
      name: 'install-x',
      namespace: 'bank',
      operation,
      object,
      oldObject: operation === 'CREATE' ? null : { ...object, spec: { approved: false } },
    };
  }

  for (const [name, review] of guesses) {
    it(`tell every guess at a password the same, by ${name}`, async () => {
      for (const gate of [open, closed]) {
        const said = await answers(gate, review);
        expect([...said]).to.have.length(1);
        expect([...said].join()).not.to.match(/bank\/root|stored Account would|hunter/);
      }
    });
  }

  it('tell an unauthenticated client nothing, even if it knows uid and version', async () => {
    const said = await answers(closed, update(stored));
    expect([...said]).to.have.length(1);
    expect([...said].join()).to.include('without the client certificate of an API server');
    const other = await (await authority('others')).issue('kube-apiserver');
    expect(await answers(closed, update(stored), other)).to.deep.equal(said);
    expect(await answers(closed, update(stored), await callers.issue('kubelet'))).to.deep.equal(
      said,
    );
  });

  it('do not count what they claim to delete', async () => {
    const bindings = (plural: string): object => ({
      operation: 'DELETE',
      name: `${plural}.rbac.authorization.k8s.io`,
      object: null,
      oldObject: definition('rbac.authorization.k8s.io', plural, 'ClusterRoleBinding', {}),
    });
    for (const gate of [open, closed]) {
      const there = await ask(gate, bindings('clusterrolebindings'));
      const none = await ask(gate, bindings('clusterrolebindingz'));
      expect(there.replaceAll('clusterrolebindings', 'X')).to.equal(
        none.replaceAll('clusterrolebindingz', 'X'),
      );
      expect(there)
        .to.include('their number is unknown')
        .and.not.match(/\b3 stored/);
    }
  });

  const operatorGroup = (namespace: string, targetNamespaces: string[]): object => {
    const gvr = { group: 'operators.coreos.com', version: 'v1' };
    return {
      kind: { ...gvr, kind: 'OperatorGroup' },
      resource: { ...gvr, resource: 'operatorgroups' },
      name: 'g',
      namespace,
      operation: 'CREATE',
      oldObject: null,
      object: {
        apiVersion: 'operators.coreos.com/v1',
        kind: 'OperatorGroup',
        metadata: { name: 'g', namespace },
        spec: { targetNamespaces },
      },
    };
  };
  const operator = (namespace: string): object => {
    const gvr = { group: 'operators.coreos.com', version: 'v1alpha1' };
    return {
      kind: { ...gvr, kind: 'ClusterServiceVersion' },
      resource: { ...gvr, resource: 'clusterserviceversions' },
      name: 'probe.v1',
      namespace,
      operation: 'CREATE',
      oldObject: null,
      object: {
        ...vaultOperator,
        metadata: { name: 'probe.v1', namespace },
      },
    };
  };

  it('do not learn what others have in their namespaces from the answer to an unauthenticated client', async () => {
    for (const review of [operator, (place: string) => operatorGroup(place, [place])]) {
      const said = await Promise.all(
        ['bank', 'nowhere'].map(async (namespace) =>
          (await ask(closed, review(namespace))).replaceAll(namespace, 'X'),
        ),
      );
      expect(said[0]).to.equal(said[1]);
    }
  });

  it('decide what is created where nobody said how an API server shows itself, and name nothing', async () => {
    const told = await ask(closed, operatorGroup('bank', ['bank']), apiServer);
    expect(told).to.include('vaults-group');
    for (const review of [
      operatorGroup('bank', ['bank']),
      operatorGroup('mine', ['bank']),
      operatorGroup('mine', []),
      operator('bank'),
      operator('mine'),
    ]) {
      const said = await ask(open, review);
      expect(said).not.to.match(/vaults-group|vault\.v1|hunter|\bdb\b/);
    }
    const said = await ask(open, operatorGroup('bank', ['bank']));
    expect(said)
      .to.include('its namespace has an OperatorGroup already')
      .and.match(/see the others, if you may list them: kubectl get \S+ --namespace=bank/);
  });
});
