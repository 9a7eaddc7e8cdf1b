/**
 * What the gate knows of others, and who hears of it: clients that send reviews of their own making,
 * and tenants who ask through the API server what they may not read.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { authority, type Authority, type Pair } from '../server/client-certificates.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText, type ReviewFields } from '../server/reviews.js';
import { clientName, writeCertificateFiles } from './api-server-certificate.js';
import {
  create,
  kubeconfigOf,
  kubectl,
  replace,
  serviceAccount,
  untilAnswered,
  enforce,
} from './installed-gate.js';
import { createAll, installOlm, pathOf, withApiVersion } from './olm-definitions.js';
import { stepsOf } from './olm-rule-rows.js';
import { changed, definitionPath, type Definition } from './widgets.js';

/** What is planted, and nobody below may read. */
const secret = {
  password: 'Tr0ub4dor',
  environment: 'c0rrect-h0rse',
  object: 'root-8c11',
  namespace: 'vault-7f3a',
  group: 'keepers-91bc',
  operator: 'safe-operator-2d.v1',
  subscription: 'ledger-5d20',
} as const;
/** As long as the namespace that is there. */
const nowhere = 'vault-0000';
/** Where the tenant is at home. */
const home = 'tenant-home';
const bundle = { name: 'unpacked-44e7', namespace: secret.namespace };

/** Fails when an answer holds a secret that the asker has not named himself. */
function expectNothingOf(secrets: readonly string[], said: string, asked = ''): void {
  const told = secrets.filter((each) => said.includes(each) && !asked.includes(each));
  expect(told, said).to.deep.equal([]);
}

const accounts = (pattern?: string): Definition =>
  changed(
    (spec) =>
      (spec.properties['password'] = {
        type: 'string',
        ...(pattern === undefined ? {} : { pattern }),
      }),
    'accounts',
  );

/** What a bundle of somebody brings: the password by default. */
const defaulting = (password: string): Definition =>
  changed(
    (spec) => (spec.properties['password'] = { type: 'string', default: password }),
    'accounts',
  );

const planOf = (namespace: string, steps: JsonObject[]): JsonObject =>
  makeObject('InstallPlan', 'install-probe', namespace, {
    spec: { approved: true, approval: 'Automatic', clusterServiceVersionNames: [] },
    status: { phase: 'Installing', plan: steps },
  });

/** A step whose manifest is in a ConfigMap of somebody. */
function stepIn(namespace: string): JsonObject {
  const manifest = JSON.stringify({
    ...{ kind: 'ConfigMap', name: bundle.name, namespace },
    ...{ catalogSourceName: 'community', catalogSourceNamespace: 'olm' },
  });
  const [step] = stepsOf(accounts() as unknown as JsonObject);
  return {
    ...step,
    resource: { ...(step?.['resource'] as JsonObject), manifest },
  };
}

describe('what the gate tells', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-talk-'));
  after(() => rmSync(folder, { recursive: true }));

  let callers: Authority;
  before('the certificate of the API server', async () => {
    callers = await writeCertificateFiles(folder);
  });

  const [tenant, writer] = ['tenant', 'definition-writer'];
  const cluster = useCluster({
    users: [{ name: serviceAccount }, { name: tenant }, { name: writer }],
    apiServerFlags: [`--admission-control-config-file=${join(folder, 'admission.yaml')}`],
  });
  /** As the enforcing overlay and the component for client certificates have it. */
  let closed: TestGate;
  /** As the overlays without client certificates have it. */
  let open: TestGate;

  before('what others have', async () => {
    await installOlm(cluster());
    expect((await create(cluster(), accounts())).code).to.equal(201);
    const { namespace } = secret;
    await createAll(cluster(), [
      makeObject('ConfigMap', bundle.name, namespace, {
        data: { 'crd.json': JSON.stringify(defaulting(secret.password)) },
      }),
      makeGroup({
        ...{ name: secret.group, namespace },
        provides: 'Vault.v1.example.com',
        spec: { targetNamespaces: [namespace] },
      }),
      aCsv({ name: secret.operator, namespace, owns: ['vaults.example.com'] }),
      makeObject('Subscription', secret.subscription, namespace, {
        spec: {
          ...{ name: 'ledger', source: 'community', sourceNamespace: 'olm', channel: 'stable' },
          config: { env: [{ name: 'PASSWORD', value: secret.environment }] },
        },
      }),
      makeObject('ConfigMap', 'empty', home),
    ]);
    const account = {
      apiVersion: 'example.com/v1',
      kind: 'Account',
      metadata: { name: secret.object },
      spec: { mode: 'Fast', password: secret.password },
    };
    await until('the account to be stored', async () => {
      const path = `/apis/example.com/v1/namespaces/${namespace}/accounts`;
      return (await cluster().request('POST', path, account)).code === 201 || undefined;
    });
  });

  before('the rights of each', async () => {
    const olm = ['operatorgroups', 'clusterserviceversions', 'subscriptions', 'installplans']
      .concat('catalogsources', 'installplans/status')
      .map((each) => each.replace(/^(\w+)/, '$1.operators.coreos.com'));
    await kubectl(
      cluster(),
      ...['create', 'role', 'own-namespace', `--namespace=${home}`],
      ...['--verb=get,create,update,patch,delete', `--resource=${olm.join(',')}`],
    );
    await kubectl(
      cluster(),
      ...['create', 'rolebinding', 'own-namespace', `--namespace=${home}`],
      ...['--role=own-namespace', `--user=${tenant}`],
    );
    for (const [name, verbs, resource, user] of [
      ['read-all', 'get,list', 'accounts.example.com,configmaps', serviceAccount],
      [
        'write-definitions',
        'get,update,delete',
        'customresourcedefinitions.apiextensions.k8s.io',
        writer,
      ],
    ] as const) {
      await kubectl(
        cluster(),
        ...['create', 'clusterrole', name, `--verb=${verbs}`, `--resource=${resource}`],
      );
      await kubectl(
        cluster(),
        ...['create', 'clusterrolebinding', name, `--clusterrole=${name}`, `--user=${user}`],
      );
    }
  });

  before('both gates', async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    const args = [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      '--policy=manifests/components/enforcing/policy.yaml',
    ];
    [open, closed] = await Promise.all([
      startGate(cluster().folder, args),
      startGate(cluster().folder, [
        ...args,
        `--client-ca-file=${join(folder, 'ca.crt')}`,
        `--client-name=${clientName}`,
      ]),
    ]);
    await enforce(cluster(), closed);
    await untilAnswered(cluster(), 403);
    await until('the gate to read accounts', async () => {
      const { text, warnings } = await replace(cluster(), accounts('^x'), {
        query: '?dryRun=All',
      });
      return (text + warnings.join()).includes(`${secret.namespace}/${secret.object}`) || undefined;
    });
  });
  after(() => Promise.all([open, closed].map((gate) => gate?.stop())));

  describe('an unauthenticated client', () => {
    interface Guess {
      readonly of: string;
      readonly right: string;
      readonly wrong: string;
      /** The object that is asked about, and its kind's place. */
      readonly about: (guess: string) => Promise<{
        readonly group: string;
        readonly version: string;
        readonly resource: string;
        readonly before: JsonObject;
        readonly after: JsonObject;
      }>;
    }

    const definitionsAre = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      resource: 'customresourcedefinitions',
    };
    /** With all that only who may read it knows. */
    const live = async (name: string): Promise<JsonObject> => {
      const path = definitionPath('accounts').replace('accounts.example.com', name);
      return (await cluster().request('GET', path)).body as unknown as JsonObject;
    };
    const olm = (version: string, resource: string): Omit<typeof definitionsAre, 'x'> => ({
      ...{ group: 'operators.coreos.com', version, resource },
    });
    const placed = (
      place: typeof definitionsAre,
      object: (namespace: string) => JsonObject,
    ): Pick<Guess, 'right' | 'wrong' | 'about'> => ({
      right: secret.namespace,
      wrong: nowhere,
      about: (guess) =>
        Promise.resolve({
          ...place,
          before: { ...withApiVersion(object(guess)), spec: {} },
          after: withApiVersion(object(guess)),
        }),
    });

    const guesses: readonly Guess[] = [
      {
        of: 'a stored password, by an update of its definition',
        ...{ right: '^Tr', wrong: '^aa' },
        about: async (guess) => {
          const before = await live('accounts.example.com');
          return { ...definitionsAre, before, after: { ...before, spec: specWith(guess) } };
        },
      },
      {
        of: 'a stored password, by a plan that brings the definition',
        ...{ right: '^Tr', wrong: '^aa' },
        about: (guess) => {
          const after = withApiVersion(
            planOf(secret.namespace, stepsOf(accounts(guess) as unknown as JsonObject)),
          );
          const before = { ...after, spec: { approved: false } };
          return Promise.resolve({ ...olm('v1alpha1', 'installplans'), before, after });
        },
      },
      {
        of: 'a value in the environment of an operator, by the definition of Subscriptions',
        ...{ right: '^c0', wrong: '^aa' },
        about: async (guess) => {
          const before = await live('subscriptions.operators.coreos.com');
          const text = JSON.stringify(before['spec']).replace(
            '"x-kubernetes-preserve-unknown-fields":true',
            `"properties":{"spec":{"type":"object","properties":{"config":{"type":"object","properties":{"env":{"type":"array","items":{"type":"object","properties":{"value":{"type":"string","pattern":"${guess}"}}}}}}}}}`,
          );
          return {
            ...definitionsAre,
            before,
            after: { ...before, spec: JSON.parse(text) as JsonObject },
          };
        },
      },
      {
        of: 'a namespace, by the owner of a definition',
        ...{ right: secret.namespace, wrong: nowhere },
        about: async (guess) => {
          const before = await live('accounts.example.com');
          const owner = { apiVersion: 'v1', kind: 'Namespace', name: guess, uid: 'x' };
          const metadata = { ...(before['metadata'] as JsonObject), ownerReferences: [owner] };
          return { ...definitionsAre, before, after: { ...before, metadata } };
        },
      },
      {
        of: 'a namespace and its groups, by an OperatorGroup in it',
        ...placed(olm('v1', 'operatorgroups'), (namespace) =>
          makeGroup({ name: 'probe', namespace, spec: { targetNamespaces: [namespace] } }),
        ),
      },
      {
        of: 'a namespace and its groups, by an OperatorGroup that targets it',
        ...placed(olm('v1', 'operatorgroups'), (namespace) =>
          makeGroup({ name: 'probe', namespace: home, spec: { targetNamespaces: [namespace] } }),
        ),
      },
      {
        of: 'an operator, by another that owns the same',
        ...placed(olm('v1alpha1', 'clusterserviceversions'), (namespace) =>
          aCsv({ name: 'probe.v1', namespace, owns: ['vaults.example.com'] }),
        ),
      },
      {
        of: 'a Subscription, by another to the same package',
        ...placed(olm('v1alpha1', 'subscriptions'), (namespace) =>
          makeObject('Subscription', 'probe', namespace, {
            spec: { name: 'ledger', source: 'community', sourceNamespace: 'olm', channel: 'a' },
          }),
        ),
      },
      {
        of: 'a ConfigMap, by a plan that refers to it',
        ...placed(olm('v1alpha1', 'installplans'), (namespace) =>
          planOf(home, [stepIn(namespace)]),
        ),
      },
      {
        of: 'a namespace, by a catalog in it',
        ...placed(olm('v1alpha1', 'catalogsources'), (namespace) =>
          makeObject('CatalogSource', 'probe', namespace, {
            spec: { sourceType: 'grpc', image: 'a:1', secrets: ['pull'] },
          }),
        ),
      },
    ];

    function specWith(pattern: string): JsonObject {
      return accounts(pattern).spec as unknown as JsonObject;
    }

    /** Every way to ask about one object. */
    function reviewsOf(
      asked: Awaited<ReturnType<Guess['about']>>,
    ): { readonly operation: string; readonly fields: ReviewFields }[] {
      const { group, version, resource, before, after } = asked;
      const { name = '', namespace = '' } = after['metadata'] as Record<string, string>;
      const common = {
        kind: { group, version, kind: after['kind'] },
        resource: { group, version, resource },
        ...{ name, namespace },
        userInfo: { username: 'kubernetes-admin', groups: ['system:masters'] },
      };
      const sides = {
        CREATE: { object: after, oldObject: null },
        UPDATE: { object: after, oldObject: before },
        DELETE: { object: null, oldObject: after },
      };
      return Object.entries(sides).flatMap(([operation, objects]) => {
        const fields = { ...common, operation, ...objects };
        return [
          { operation, fields },
          { operation, fields: { ...fields, dryRun: true } },
          { operation, fields: { ...fields, subResource: 'status' } },
          // As each object of a deleted collection is asked about.
          { operation, fields: { ...fields, name: '' } },
        ];
      });
    }

    const ask = async (gate: TestGate, fields: ReviewFields, pair?: Pair): Promise<string> => {
      const { status, text } = await send(gate.url, gate.ca, reviewText(fields), { ...pair });
      expect(status, text).to.equal(200);
      return JSON.stringify(responseIn(text));
    };

    /** Patches are made of the request alone, and only where time allows. */
    const withoutPatches = (response: string): string =>
      response.replaceAll(/\{"reason":"JSONPatch",(?:[^"{}]|"(?:[^"\\]|\\.)*")*\},?/g, '');

    /** What is said of a guess, with the guess itself left out. */
    const saidOf = async (
      gate: TestGate,
      { about }: Guess,
      guess: string,
      pair?: Pair,
    ): Promise<{ readonly operation: string; readonly said: string; readonly asked: string }[]> => {
      const asked = await about(guess);
      return Promise.all(
        reviewsOf(asked).map(async ({ operation, fields }) => ({
          operation,
          said: withoutPatches(await ask(gate, fields, pair)).replaceAll(guess, 'GUESS'),
          asked: JSON.stringify(fields),
        })),
      );
    };

    const planted = Object.values(secret);
    const shown: readonly (readonly [string, () => Promise<Pair | undefined>])[] = [
      ['no certificate', () => Promise.resolve(undefined)],
      [
        'a certificate of another authority',
        async () => (await authority('others')).issue(clientName),
      ],
      ['the certificate of a node', () => callers.issue('system:node:worker-1')],
    ];

    for (const guess of guesses) {
      for (const [what, pair] of shown) {
        it(`with ${what} does not learn of ${guess.of}`, async () => {
          const certificate = await pair();
          const right = await saidOf(closed, guess, guess.right, certificate);
          const wrong = await saidOf(closed, guess, guess.wrong, certificate);
          expect(right.map(({ said }) => said)).to.deep.equal(wrong.map(({ said }) => said));
          for (const { said, asked } of right) expectNothingOf(planted, said, asked);
        });
      }

      it(`is named nothing of ${guess.of} where no certificate is asked for`, async () => {
        const madeUp: Guess = {
          ...guess,
          about: async (each) => {
            const { before, after, ...rest } = await guess.about(each);
            return { ...rest, before: withoutIdentity(before), after: withoutIdentity(after) };
          },
        };
        const right = await saidOf(open, madeUp, guess.right);
        const wrong = await saidOf(open, madeUp, guess.wrong);
        right.forEach(({ operation, said, asked }, index) => {
          expectNothingOf(planted, said, asked);
          // A creation is decided, whoever asks, for nobody can tell an API server from others.
          if (operation !== 'CREATE') expect(said).to.equal(wrong[index]?.said);
        });
      });
    }

    function withoutIdentity(object: JsonObject): JsonObject {
      const metadata = object['metadata'] as JsonObject;
      return { ...object, metadata: { ...metadata, uid: 'made-up', resourceVersion: '1' } };
    }

    it('is answered otherwise than the API server, which learns all that is asked here', async () => {
      const pair = await callers.issue(clientName);
      const told = new Set<string>();
      for (const guess of guesses) {
        const [right, wrong] = [
          await saidOf(closed, guess, guess.right, pair),
          await saidOf(closed, guess, guess.wrong, pair),
        ];
        if (
          JSON.stringify(right.map(({ said }) => said)) ===
          JSON.stringify(wrong.map(({ said }) => said))
        ) {
          told.add(guess.of);
        }
      }
      // Whether there is another owner of that name is for nobody, and the gate reads no Secrets.
      expect([...told]).to.deep.equal([
        'a namespace, by the owner of a definition',
        'a namespace, by a catalog in it',
      ]);
    });

    it('who names his authority as the cluster’s is not answered at all', async () => {
      const pair = await (await authority('kubernetes')).issue(clientName);
      const answer = await send(closed.url, closed.ca, reviewText(), pair).catch(String);
      expect(answer).to.match(/socket hang up|ECONNRESET/);
    });

    it('finds nothing of it in metrics or log either', async () => {
      const { password, environment, object, group } = secret;
      for (const gate of [open, closed]) {
        expectNothingOf([password, environment, object, group], await gate.metrics());
        expectNothingOf([password, environment], JSON.stringify(gate.logs()));
      }
    });
  });

  describe('a tenant', () => {
    const heard = ({ text, warnings }: Answer): string => text + warnings.join('\n');

    it('who may write a definition is not told of objects that he may not list', async () => {
      for (const pattern of ['^Tr', '^aa']) {
        const answer = await replace(cluster(), accounts(pattern), {
          ...{ query: '?dryRun=All', user: writer },
        });
        expectNothingOf(Object.values(secret), heard(answer));
        expect(heard(answer)).not.to.match(/\b1 (of|stored)\b/);
      }
      const path = `${definitionPath('accounts')}?dryRun=All`;
      const deletion = await cluster().request('DELETE', path, undefined, { user: writer });
      expect(deletion.code).to.equal(403);
      expect(heard(deletion))
        .to.include('stored Accounts')
        .and.not.match(/\b1 stored/);
    });

    it('who may write a definition does not learn by its owners which namespaces there are', async () => {
      const owned = async (name: string): Promise<string> => {
        const definition = accounts();
        definition.metadata.ownerReferences = [
          { apiVersion: 'v1', kind: 'Namespace', name, uid: 'x' },
        ];
        const answer = await replace(cluster(), definition, {
          ...{ query: '?dryRun=All', user: writer },
        });
        expect(answer.code).to.equal(403);
        return heard(answer).replaceAll(name, 'GUESS');
      };
      expect(await owned(secret.namespace)).to.equal(await owned(nowhere));
    });

    const objects: readonly (readonly [what: string, object: JsonObject, adminHears: string])[] = [
      [
        'a group that targets another’s namespace',
        makeGroup({
          ...{ name: 'probe', namespace: home },
          provides: 'Vault.v1.example.com',
          spec: { targetNamespaces: [secret.namespace] },
        }),
        secret.group,
      ],
      [
        'a group that selects all namespaces',
        makeGroup({
          ...{ name: 'probe', namespace: home },
          provides: 'Vault.v1.example.com',
          spec: {},
        }),
        secret.group,
      ],
      [
        'an operator that owns what another’s does',
        aCsv({ name: 'probe.v1', namespace: home, owns: ['vaults.example.com'] }),
        secret.group,
      ],
      [
        'a plan that refers to another’s ConfigMap',
        planOf(home, [stepIn(secret.namespace)]),
        secret.password,
      ],
    ];

    /** As the API server asks about it; OLM's status comes with a second request. */
    async function asked(object: JsonObject, user?: string): Promise<Answer> {
      const as = user === undefined ? {} : { user };
      if (object['kind'] !== 'InstallPlan') {
        const collection = `${pathOf(object, 'collection')}?dryRun=All`;
        return cluster().request('POST', collection, withApiVersion(object), as);
      }
      await createAll(cluster(), [
        { ...object, spec: { ...(object['spec'] as object), approved: false } },
      ]);
      const merge = { contentType: 'application/merge-patch+json', ...as };
      const patch = { spec: { approved: true } };
      return cluster().request('PATCH', `${pathOf(object)}?dryRun=All`, patch, merge);
    }

    // What was allowed above as if an API server had asked counts for some seconds.
    before('a group for the operator to be a member of', () =>
      until('the group to be created', () =>
        createAll(cluster(), [
          makeGroup({
            name: 'mine',
            namespace: home,
            spec: { targetNamespaces: [secret.namespace] },
          }),
        ]).then(
          () => true as const,
          () => undefined,
        ),
      ),
    );

    for (const [what, object, named] of objects) {
      it(`who writes ${what} is told the rule alone`, async () => {
        const admin = heard(await asked(object));
        expect(admin, admin).to.include(named);
        const answer = await asked(object, tenant);
        const request = JSON.stringify(object);
        expectNothingOf(Object.values(secret), heard(answer), request);
        expect(heard(answer)).to.include('No other object is named: ');
      });
    }
  });
});
