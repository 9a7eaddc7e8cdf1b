/** Every rule about OLM's objects, through a real API server and a gate that follows it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { olmRules } from '../../src/olm/rules/objects/table.js';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import {
  createAll,
  createNamespace,
  installOlm,
  pathOf,
  withApiVersion,
} from './olm-definitions.js';
import { catalogRuleRows, rowsCatalogText } from './catalog-rule-rows.js';
import { documentedRows } from './documented-rows.js';
import { definition, olmRuleRows, stepsOf, type RuleRequest } from './olm-rule-rows.js';

const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const rows = [...olmRuleRows, ...catalogRuleRows];

const blue = { packageName: 'blue', versionRange: '>=1.0.0' };
/** Packages whose only bundle asks for something that nobody provides, or that OLM cannot read. */
const constraints: readonly [name: string, constraint: object, told: RegExp][] = [
  [
    'documented-name',
    { value: { package: { name: 'blue', versionRange: '>=1.0.0' } } },
    /unknown field "name".*What would help: in "package" write packageName where it says name/,
  ],
  [
    'nested-name',
    { value: { all: { constraints: [{ package: { name: 'blue', versionRange: '>=1.0.0' } }] } } },
    /What would help: in "package" write packageName where it says name/,
  ],
  [
    'cluster-variable',
    { value: { cel: { rule: 'cluster.version == 4' } } },
    /undeclared reference to 'cluster'.*What would help: use only the variable properties and the function semver_compare/s,
  ],
  [
    'beside-value',
    { value: { failureMessage: 'm' }, not: { constraints: [] } },
    /constraint is empty.*What would help: write what is asked for \(gvk, package, all, any, not or cel\) below value/,
  ],
  [
    'nested-message',
    {
      value: {
        failureMessage: 'outer',
        all: { constraints: [{ failureMessage: 'Package blue is needed', package: blue }] },
      },
    },
    /Its author says: "outer", "Package blue is needed"/,
  ],
  [
    'several-parts',
    {
      value: {
        all: {
          constraints: [{ package: blue }, { gvk: { group: 'g', version: 'v1', kind: 'K' } }],
        },
      },
    },
    /OLM wants one bundle that meets all parts at once/,
  ],
];

const catalogText = [
  rowsCatalogText,
  ...constraints
    .flatMap(([name, constraint]): object[] => [
      { schema: 'olm.package', name, defaultChannel: 'stable' },
      {
        schema: 'olm.channel',
        package: name,
        name: 'stable',
        entries: [{ name: `${name}.v1.0.0` }],
      },
      {
        schema: 'olm.bundle',
        package: name,
        name: `${name}.v1.0.0`,
        image: `quay.io/example/${name}`,
        properties: [
          { type: 'olm.package', value: { packageName: name, version: '1.0.0' } },
          { type: 'olm.constraint', ...constraint },
        ],
      },
    ])
    .map((blob) => JSON.stringify(blob)),
].join('\n');

const documentedNamespace = (index: number): string => `stated-${index}`;

describe('rules about OLM’s objects', () => {
  const cluster = useCluster({
    users: [
      { name: 'system:serviceaccount:olm:olm-operator-serviceaccount', groups: ['system:masters'] },
    ],
  });

  before('install OLM’s kinds and what the rows need', async () => {
    await installOlm(cluster());
    for (const [index, row] of rows.entries()) {
      for (const name of [`row-${index}`, `row-${index}-b`]) await createNamespace(cluster(), name);
      await createAll(cluster(), row.cluster?.(`row-${index}`) ?? []);
    }
    for (const [index, row] of documentedRows.entries()) {
      const namespace = documentedNamespace(index);
      for (const name of [namespace, `${namespace}-b`]) await createNamespace(cluster(), name);
      await createAll(cluster(), row.cluster?.(namespace) ?? []);
    }
    await createNamespace(cluster(), 'waiting');
  });

  const gate = useGate(cluster, {
    name: 'operatorgroups.olm-guard.io',
    rules: [
      {
        apiGroups: ['operators.coreos.com'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['*', 'installplans/status'],
      },
      {
        apiGroups: ['olm.operatorframework.io', 'config.openshift.io'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['clusterextensions', 'clusterversions'],
      },
    ],
    args: () => {
      writeFileSync(catalogFile(), catalogText);
      return [
        '--kubeconfig',
        cluster().kubeconfigPath,
        '--policy=manifests/base/policy.yaml',
        `--policy-overrides=${overridesFile()}`,
        '--catalog',
        `community=${catalogFile()}`,
        '--catalog',
        `rival=${catalogFile()}`,
      ];
    },
    isAsked: async () => {
      const refused = await ask({
        object: {
          kind: 'OperatorGroup',
          metadata: { name: 'g', namespace: 'waiting' },
          spec: { targetNamespaces: ['', 'a'] },
        },
      });
      return refused.code === 403;
    },
  });

  const catalogFile = (): string => join(cluster().folder, 'catalog.json');
  const overridesFile = (): string => join(cluster().folder, 'overrides.yaml');

  function writePolicy(modes: ReadonlyMap<string, 'deny' | 'warn'>): void {
    const policy = {
      apiVersion: 'olm-guard.io/v1alpha1',
      kind: 'Policy',
      modes: Object.fromEntries(modes),
    };
    // JSON is YAML.
    writeFileSync(overridesFile(), JSON.stringify(policy));
  }

  /** Asks without changing anything. */
  async function ask({ object, operation }: RuleRequest, user?: string): Promise<Answer> {
    const options = user === undefined ? {} : { user };
    const query = '?dryRun=All';
    if (operation === 'DELETE')
      return cluster().request('DELETE', pathOf(object) + query, undefined, options);
    if (operation === undefined) {
      const path = pathOf(object, 'collection') + query;
      return cluster().request('POST', path, withApiVersion(object), options);
    }
    const stored = await cluster().request('GET', pathOf(object));
    const metadata = {
      ...(object['metadata'] as object),
      resourceVersion: stored.body.metadata?.resourceVersion,
    };
    const body = { ...withApiVersion(object), metadata };
    return cluster().request('PUT', pathOf(object) + query, body, options);
  }

  const says = ({ body, warnings }: Answer, rule: string): boolean =>
    warnings.some((warning) => warning.startsWith(`${rule}: `)) ||
    (body.details?.causes ?? []).some(({ reason }) => reason === rule);

  for (const [index, { rule, decision, bad, good }] of rows.entries()) {
    const namespace = `row-${index}`;

    it(`${rule}: ${decision}`, async () => {
      const answer = await ask(bad(namespace));
      expect(says(answer, rule), answer.text + answer.warnings.join('\n')).to.equal(true);
      expect(answer.code, answer.text).to.be.oneOf(decision === 'denied' ? [403] : [200, 201]);
    });

    it(`${rule}: allowed`, async () => {
      const answer = await ask(good(namespace));
      expect(answer.code, answer.text).to.be.oneOf([200, 201]);
      expect(says(answer, rule), answer.warnings.join('\n')).to.equal(false);
    });
  }

  describe('as the documents state it', () => {
    for (const [
      index,
      { says: stated, rule, decision, ask: request },
    ] of documentedRows.entries()) {
      it(`${stated}: ${decision}`, async () => {
        const answer = await ask(request(documentedNamespace(index)));
        const words = answer.text + answer.warnings.join('\n');
        expect(answer.code, words).to.be.oneOf(decision === 'denied' ? [403] : [200, 201]);
        expect(says(answer, rule), words).to.equal(decision !== 'silent');
      });
    }
  });

  it('each have a row', () => {
    expect(rows.map((row) => row.rule).sort()).to.deep.equal(olmRules.map(({ id }) => id).sort());
  });

  it('are denied as the table says', () => {
    for (const { rule, decision } of rows) {
      const severity = olmRules.find(({ id }) => id === rule)?.severity;
      expect(decision, rule).to.equal(severity === 'error' ? 'denied' : 'warned');
    }
  });

  it('name a command that judges the refused group as it stands, against the cluster of kubectl', async () => {
    const index = rows.findIndex(({ rule }) => rule === 'UnsupportedMembers');
    const refused = await ask(rows[index]!.bad(`row-${index}`));
    const command = /^To see it again: (printf .* -)$/m.exec(refused.body.message ?? '')?.[1];
    expect(command, refused.body.message).to.be.a('string');
    const program = join(cluster().folder, 'olm-guard');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, {
      mode: 0o700,
    });
    const PATH = `${cluster().folder}:${process.env['PATH']}`;
    const judge = async (env: NodeJS.ProcessEnv): Promise<{ code: unknown; stdout: string }> =>
      promisify(execFile)('sh', ['-c', command ?? ''], {
        env: { ...process.env, PATH, KUBERNETES_SERVICE_HOST: undefined, ...env },
      }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      );
    const { code, stdout } = await judge({ KUBECONFIG: cluster().kubeconfigPath });
    expect(code, stdout).to.equal(1);
    expect(stdout).to.match(/error +UnsupportedMembers/);
    expect((await judge({ HOME: '/nowhere', KUBECONFIG: '' })).code).to.equal(2);
  });

  it('name a command that asks for a refused deletion once more, and deletes nothing', async () => {
    const [index, row] = [...rows.entries()].find(([, { bad }]) => bad('').operation === 'DELETE')!;
    const asked = row.bad(`row-${index}`);
    writePolicy(new Map([[row.rule, 'deny']]));
    try {
      const refused = await until('the policy to be read', async () => {
        const answer = await ask(asked);
        return answer.code === 403 ? answer.body : undefined;
      });
      const again = /^To see it again: kubectl (delete .*)$/m.exec(refused.message ?? '')?.[1];
      expect(again, refused.message).to.be.a('string');
      const { code, stderr } = await cluster().kubectl((again ?? '').split(' '));
      expect(code, stderr).to.equal(1);
      for (const { message = '' } of refused.details?.causes ?? []) {
        expect(stderr).to.include(message);
      }
      writePolicy(new Map());
      await until('a deletion to be allowed', async () => {
        return (await cluster().kubectl((again ?? '').split(' '))).code === 0;
      });
    } finally {
      writePolicy(new Map());
    }
    expect((await cluster().request('GET', pathOf(asked.object))).code).to.equal(200);
  });

  it('say of what a ClusterExtension asks that does not come from source.catalog too', async () => {
    const older = {
      kind: 'ClusterExtension',
      metadata: { name: 'older' },
      spec: { packageName: 'queue', version: '1.2 ||', channel: 'stable' },
    };
    const refused = await ask({ object: older });
    expect(refused.code).to.equal(403);
    expect(refused.body.message).to.include('desired version range "1.2 ||" is invalid');
    const spec = { ...older.spec, version: '1.x', channel: 'stabel' };
    const warned = await ask({ object: { ...older, spec } });
    expect(warned.code, warned.text).to.equal(201);
    expect(says(warned, 'ClusterExtensionChannel'), warned.warnings.join()).to.equal(true);
  });

  describe('about constraints of catalogs', () => {
    const asking = (name: string): JsonObject => {
      const spec = { name, channel: 'stable', source: 'community', sourceNamespace: 'olm' };
      return makeObject('Subscription', name, name, { spec });
    };
    before(async () => {
      for (const [name] of constraints) {
        const ofNamespace = { namespace: name, spec: { targetNamespaces: [name] } };
        await createNamespace(cluster(), name);
        await createAll(cluster(), [makeGroup(ofNamespace), asking(name)]);
      }
    });

    for (const [name, , told] of constraints) {
      it(`tell who changes a Subscription to ${name} what check bundle would have said`, async () => {
        // Of a creation nothing is told to whom no certificate vouches for.
        const answer = await ask({ object: asking(name), operation: 'UPDATE' });
        expect(answer.code, answer.text).to.equal(200);
        const all = answer.warnings.join('\n');
        expect(told.test(all), all).to.equal(true);
      });
    }
  });

  describe('about a limit of the cluster’s version', () => {
    const namespace = 'limited';
    const installed = 'installed';
    const limited = (name: string, value: string, at = namespace): JsonObject =>
      aCsv({
        namespace: at,
        name,
        owns: [`cats.${name}.io`],
        metadata: {
          annotations: {
            'olm.properties': `[{"type":"olm.maxOpenShiftVersion","value":${value}}]`,
          },
        },
      });
    const approval = (manifest: JsonObject, approved: boolean): JsonObject =>
      makeObject('InstallPlan', (manifest['metadata'] as { name: string }).name, namespace, {
        spec: { approved, approval: 'Manual', clusterServiceVersionNames: [] },
        status: { plan: stepsOf(manifest) },
      });
    const limits: readonly [name: string, value: string, told: RegExp | null][] = [
      ['patched', '"4.18.0"', /OLM v1 cannot read olm\.maxOpenShiftVersion/],
      ['placeholder', '"<cluster_version>"', /failed to parse "<cluster_version>" as semver/],
      [
        'exact',
        '"4.18.7"',
        /must specify only <major>\.<minor> version, got invalid value 4\.18\.7/,
      ],
      ['empty', '""', /value cannot be ""/],
      ['fine', '"4.18"', null],
    ];
    const saidOf = ({ warnings }: Answer): string =>
      warnings.filter((each) => each.includes('UnreadableOpenShiftLimit: ')).join('\n');

    before(async () => {
      for (const name of [namespace, installed]) await createNamespace(cluster(), name);
      await createAll(cluster(), [
        makeGroup({ namespace, spec: { targetNamespaces: [namespace] } }),
        makeGroup({ namespace: installed, spec: { targetNamespaces: [installed] } }),
        ...limits.map(([name, value]) => approval(limited(name, value), false)),
      ]);
    });

    for (const [name, value, told] of limits) {
      it(`say when a ClusterServiceVersion comes what OLM makes of ${value}`, async () => {
        const answer = await ask({ object: limited(name, value) });
        expect(answer.code, answer.text).to.equal(201);
        expect(saidOf(answer)).to.match(told ?? /^$/);
      });

      it(`say it when an InstallPlan with ${value} is approved`, async () => {
        const object = approval(limited(name, value), true);
        const answer = await ask({ object, operation: 'UPDATE' });
        expect(answer.code, answer.text).to.equal(200);
        expect(saidOf(answer)).to.match(told ?? /^$/);
      });
    }

    it('say what keeps the cluster where it is when it is sent on', async () => {
      const index = rows.findIndex(({ rule }) => rule === 'ClusterUpdateBlocked');
      const wants = (version: string): RuleRequest => ({
        object: makeObject('ClusterVersion', `row-${index}`, '', {
          spec: { desiredUpdate: { version } },
          status: { history: [{ state: 'Completed', version: '4.18.3' }] },
        }),
        operation: 'UPDATE',
      });
      await createAll(
        cluster(),
        limits.map(([name, value]) => limited(name, value, installed)),
      );
      await createAll(cluster(), [limited('later', '"4.19.0"', installed)]);
      await until('the watch to bring them', async () => {
        const { warnings } = await ask(wants('4.19.0'));
        return (
          limits.every(([name]) => warnings.join().includes(`${installed}/${name} `)) || undefined
        );
      });
      const answer = await ask(wants('4.19.0'));
      const said = answer.warnings.find((each) => each.startsWith('ClusterUpdateBlocked: ')) ?? '';
      expect(said).to.include(`${installed}/patched (up to 4.18)`);
      expect(said).to.include(`${installed}/fine (up to 4.18)`);
      expect(said).not.to.include(`${installed}/later`);
      for (const name of ['placeholder', 'exact', 'empty']) {
        expect(said).to.include(`${installed}/${name} (invalid olm.maxOpenShiftVersion: `);
      }
      await reloadedWith(new Map([['ClusterUpdateBlocked', 'deny']]));
      const denied = await ask(wants('4.19.0'));
      expect(denied.code, denied.text).to.equal(403);
      expect(denied.body.message).to.include(`${installed}/patched (up to 4.18)`);
      await reloadedWith(new Map());
    });
  });

  it('use a changed catalog file', async () => {
    const tidy = {
      kind: 'ClusterExtension',
      metadata: { name: 'fresh' },
      spec: { source: { sourceType: 'Catalog', catalog: { packageName: 'fresh' } } },
    };
    expect(says(await ask({ object: tidy }), 'ClusterExtensionPackage')).to.equal(true);
    writeFileSync(catalogFile(), catalogText.replaceAll('tidy', 'fresh'));
    await until('the gate to read the catalog again', async () => {
      return !says(await ask({ object: tidy }), 'ClusterExtensionPackage') || undefined;
    });
  });

  it('warn about a plan that OLM approves itself, once its steps are there', async () => {
    const index = olmRuleRows.findIndex(({ rule }) => rule === 'InstallPlanCRDSafety');
    const namespace = `row-${index}`;
    const breaking = { plan: stepsOf(definition(namespace, [])) };
    const plan = makeObject('InstallPlan', 'automatic', namespace, {
      spec: { approved: true, approval: 'Automatic', clusterServiceVersionNames: [] },
    });
    await createAll(cluster(), [plan]);
    const cat = {
      apiVersion: `${namespace}.io/v1`,
      kind: 'Cat',
      metadata: { name: 'tom' },
      spec: { b: 'is stored' },
    };
    const cats = `/apis/${namespace}.io/v1/namespaces/${namespace}/cats`;
    expect((await cluster().request('POST', cats, cat)).code).to.equal(201);
    const answer = await cluster().request(
      'PATCH',
      `${pathOf(plan)}/status?dryRun=All`,
      { status: breaking },
      { contentType: 'application/merge-patch+json' },
    );
    expect(answer.code, answer.text).to.equal(200);
    await cluster().request('DELETE', `${cats}/tom`);
    for (const rule of ['InstallPlanCRDSafety', 'StoredObjectsLoseData']) {
      expect(says(answer, rule), answer.warnings.join('\n')).to.equal(true);
    }
  });

  it('never stop OLM from writing annotations', async () => {
    const index = rows.findIndex(({ rule }) => rule === 'TooManyOperatorGroups');
    const namespace = `row-${index}`;
    const user = 'system:serviceaccount:olm:olm-operator-serviceaccount';
    const stored = await cluster().request(
      'GET',
      pathOf({ kind: 'OperatorGroup', metadata: { name: 'g', namespace } }),
    );
    const metadata = { ...stored.body.metadata, annotations: { 'olm.providedAPIs': 'Cat.v1.x' } };
    const path = `/apis/operators.coreos.com/v1/namespaces/${namespace}/operatorgroups/g?dryRun=All`;
    const answer = await cluster().request('PUT', path, { ...stored.body, metadata }, { user });
    expect(answer.code, answer.text).to.equal(200);
  });

  it('see objects that are created afterwards', async () => {
    await createAll(cluster(), [
      { kind: 'OperatorGroup', metadata: { name: 'one', namespace: 'later' }, spec: {} },
    ]);
    const second = {
      kind: 'OperatorGroup',
      metadata: { name: 'two', namespace: 'later' },
      spec: {},
    };
    // By a list of this very moment, however far behind the watch is.
    expect(says(await ask({ object: second }), 'MultipleOperatorGroups')).to.equal(true);
    await createAll(cluster(), [second]);
    const csv = {
      kind: 'ClusterServiceVersion',
      metadata: { name: 'c', namespace: 'later' },
      spec: {},
    };
    await until('the watch to bring both groups', async () => {
      const answer = await ask({ object: csv });
      return says(answer, 'TooManyOperatorGroups') || undefined;
    });
  });

  it('see changed rights of service accounts', async () => {
    const namespace = 'granted';
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
    const permissions = [{ serviceAccountName: 'cats', rules }];
    const object = aCsv({ namespace, owns: [], spec: { install: { spec: { permissions } } } });
    await createAll(cluster(), [
      makeGroup({ namespace, spec: { targetNamespaces: [namespace] } }),
      makeObject('ServiceAccount', 'cats', namespace),
    ]);
    const lacks = async (): Promise<boolean> => says(await ask({ object }), 'RequirementsNotMet');
    expect(await lacks()).to.equal(true);
    await createAll(cluster(), [
      makeObject('Role', 'cats', namespace, { rules }),
      makeObject('RoleBinding', 'cats', namespace, {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'cats' },
        subjects: [{ kind: 'ServiceAccount', name: 'cats', namespace }],
      }),
    ]);
    await until('the grant to be seen', async () => !(await lacks()) || undefined);
    await cluster().request('DELETE', pathOf(makeObject('RoleBinding', 'cats', namespace)));
    await until('its end to be seen', async () => (await lacks()) || undefined);
  });

  it('show in the metrics how current the view is', async () => {
    const text = await gate().metrics();
    for (const kind of [
      'OperatorGroup',
      'ClusterServiceVersion',
      'Namespace',
      'RoleBinding',
      'Event',
    ]) {
      expect(text).to.include(`olm_guard_view_staleness_seconds{kind="${kind}"} 0`);
    }
    expect(text).to.match(/^csv_count [1-9]/m);
  });

  for (const [mode, becomes] of [
    ['deny', 'denied'],
    ['warn', 'warned'],
  ] as const) {
    const others = [...rows.entries()].filter(([, { decision }]) => decision !== becomes);

    describe(`where policy says ${mode}`, () => {
      before('write the policy', () =>
        reloadedWith(new Map(others.map(([, { rule }]) => [rule, mode]))),
      );

      for (const [index, { rule, bad }] of others) {
        it(`${rule}: ${becomes}`, async () => {
          const answer = await ask(bad(`row-${index}`));
          expect(says(answer, rule), answer.text + answer.warnings.join('\n')).to.equal(true);
          expect(answer.code, answer.text).to.be.oneOf(mode === 'deny' ? [403] : [200, 201]);
        });
      }
    });
  }

  async function reloadedWith(modes: ReadonlyMap<string, 'deny' | 'warn'>): Promise<void> {
    const reloads = await reloaded();
    writePolicy(modes);
    await until('the policy to be read', async () => (await reloaded()) > reloads || undefined);
  }

  async function reloaded(): Promise<number> {
    const metric = /policy_reloads_total\{outcome="success"\} (\d+)/;
    return Number(metric.exec(await gate().metrics())?.[1] ?? 0);
  }
});
