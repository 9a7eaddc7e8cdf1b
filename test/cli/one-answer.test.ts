/** What becomes of a namespace: no two of `scan`, `resolve`, `plan` and the gate say the contrary of one state. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createReviewers } from '../../src/gate/admission/reviewers.js';
import { review } from '../../src/gate/admission/review.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { defaultPolicy } from '../../src/policy/policy.js';
import { scan } from '../../src/checks/cluster-scan/scan.js';
import { FolderState } from '../../src/cluster/olm-state/folder-state.js';
import { planPackage } from '../../src/cli/plan/plan-package.js';
import { readKnownCatalogs } from '../../src/cli/options/known-catalogs.js';
import { answerResolve } from '../../src/cli/resolve/resolve-answer.js';
import { minorsByDefault } from '../../src/kubernetes/index.js';
import { isObject, parseDocuments } from '../../src/text/documents/index.js';

const group = (name: string): string => `
apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata: { name: ${name}, namespace: team }
spec: { targetNamespaces: [team] }
status: { namespaces: [team] }`;
const source = (name: string, status: string, namespace = 'olm'): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: CatalogSource
metadata: { name: ${name}, namespace: ${namespace} }
spec: { sourceType: grpc, image: "example.com/${name}:1" }
${status === '' ? '' : `status: { connectionState: { lastObservedState: ${status} } }`}`;
const subscription = (spec = '', name = 'cats'): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: { name: ${name}, namespace: team }
spec: { name: ${name}, channel: stable, source: community, sourceNamespace: olm, ${spec} }
status: { installedCSV: ${name}.v1.0.0, currentCSV: ${name}.v1.0.0 }`;
const installed = (): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: { name: cats.v1.0.0, namespace: team, annotations: { olm.operatorGroup: team, olm.operatorNamespace: team, olm.targetNamespaces: team } }
spec: { version: 1.0.0, installModes: [{ type: OwnNamespace, supported: true }], customresourcedefinitions: { owned: [] }, install: { strategy: deployment } }
status: { phase: Succeeded, reason: InstallSucceeded }`;
const waitingPlan = `
apiVersion: operators.coreos.com/v1alpha1
kind: InstallPlan
metadata: { name: install-x, namespace: team }
spec: { approval: Manual, approved: false, clusterServiceVersionNames: [cats.v1.1.0] }
status: { phase: RequiresApproval, plan: [] }`;
const namespaces = ['team', 'olm', 'far'].map(
  (name) => `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }`,
);

const bundle = (version: string, properties = ''): string => `---
schema: olm.bundle
name: cats.v${version}
package: cats
image: example.com/cats:${version}
properties: [{ type: olm.package, value: { packageName: cats, version: ${version} } }${properties}]
`;
const catalog = ({ next = bundle('1.1.0'), more = '' } = {}): string => `---
schema: olm.package
name: cats
defaultChannel: stable
---
schema: olm.channel
package: cats
name: stable
entries: [{ name: cats.v1.0.0 }, { name: cats.v1.1.0, replaces: cats.v1.0.0 }]
${bundle('1.0.0')}${next}${more}`;
const needsDogs =
  ', { type: olm.package.required, value: { packageName: dogs, versionRange: ">=1.0.0" } }';
const deprecated = `---
schema: olm.deprecations
package: cats
entries: [{ reference: { schema: olm.package }, message: use dogs }]
`;

interface Case {
  readonly when: string;
  /** Left out: one group, one catalog that is READY, and the Subscription with what it installed. */
  readonly cluster?: readonly string[];
  readonly catalog?: string;
  /** A folder, which is what `plan` reads here, does not tell it. */
  readonly kubernetes?: string;
  /** The truth. `once` a catalog is reached that never was: as READY as nobody knows. */
  readonly so:
    'upgrades' | 'stands still' | 'once' | 'fails after the upgrade' | 'waits for a step before';
  /** What is installed has failed for the same reason. */
  readonly isFailingAlready?: true;
  /** Only who resolves knows. */
  readonly isKnownByResolving?: true;
  /** The gate says so of the next write of the Subscription. */
  readonly isSaidOfWrites?: true;
}

const usual = [group('team'), source('community', 'READY'), subscription(), installed()];
const withGroup = usual.slice(1);
const cases: readonly Case[] = [
  { when: 'all is well', so: 'upgrades' },
  {
    when: 'its catalog is not READY',
    cluster: [group('team'), source('community', 'TRANSIENT_FAILURE'), subscription(), installed()],
    so: 'stands still',
    isSaidOfWrites: true,
  },
  {
    when: 'its catalog is being connected to',
    cluster: [group('team'), source('community', 'CONNECTING'), subscription(), installed()],
    so: 'stands still',
    isSaidOfWrites: true,
  },
  {
    when: 'another global catalog is not READY',
    cluster: [...usual, source('staging', 'TRANSIENT_FAILURE')],
    so: 'stands still',
    isSaidOfWrites: true,
  },
  {
    when: 'another catalog of its namespace is not READY',
    cluster: [...usual, source('staging', 'TRANSIENT_FAILURE', 'team')],
    so: 'stands still',
    isSaidOfWrites: true,
  },
  {
    when: 'a catalog of another namespace is not READY',
    cluster: [...usual, source('staging', 'TRANSIENT_FAILURE', 'far')],
    so: 'upgrades',
  },
  {
    when: 'its catalog was never reached',
    cluster: [group('team'), source('community', ''), subscription(), installed()],
    so: 'once',
    isSaidOfWrites: true,
  },
  {
    when: 'its catalog is not there',
    cluster: [group('team'), subscription(), installed()],
    so: 'once',
  },
  {
    when: 'there are two OperatorGroups',
    cluster: [...usual, group('second')],
    so: 'stands still',
  },
  { when: 'there is no OperatorGroup', cluster: withGroup, so: 'stands still' },
  {
    when: 'the upgrade waits for an approval',
    cluster: [
      ...[group('team'), source('community', 'READY'), installed()],
      ...[subscription('installPlanApproval: Manual'), waitingPlan],
    ],
    so: 'upgrades',
  },
  {
    when: 'the version is pinned',
    cluster: [
      ...[group('team'), source('community', 'READY'), installed()],
      subscription('installPlanApproval: Manual, startingCSV: cats.v1.0.0'),
    ],
    so: 'upgrades',
  },
  { when: 'the package is deprecated', catalog: catalog({ more: deprecated }), so: 'upgrades' },
  {
    when: 'the upgrade needs what no catalog has',
    catalog: catalog({ next: bundle('1.1.0', needsDogs) }),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'its new channel takes over from nothing that is installed',
    catalog: catalog({
      more: '---\nschema: olm.channel\npackage: cats\nname: old\nentries: [{ name: cats.v1.0.0 }]\n',
    }).replace(
      /entries: .* replaces: cats.v1.0.0 }]/,
      "entries: [{ name: cats.v1.1.0, skipRange: '<1.0.0' }]",
    ),
    so: 'stands still',
  },
  {
    when: 'the upgrade drops the install mode that its group needs',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        ', { type: olm.csv.metadata, value: { installModes: [{ type: AllNamespaces, supported: true }] } }',
      ),
    }),
    so: 'fails after the upgrade',
  },
  {
    when: 'the upgrade brings an API that another group provides',
    cluster: [
      ...usual,
      `
apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata: { name: rival, namespace: far, annotations: { olm.providedAPIs: Dog.v1.example.com } }
spec: { targetNamespaces: [team] }
status: { namespaces: [team] }`,
    ],
    catalog: catalog({
      next: bundle(
        '1.1.0',
        ', { type: olm.gvk, value: { group: example.com, version: v1, kind: Dog } }',
      ),
    }),
    so: 'fails after the upgrade',
  },
  {
    when: 'the upgrade needs a newer Kubernetes',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        ', { type: olm.csv.metadata, value: { minKubeVersion: 1.34.0, installModes: [{ type: OwnNamespace, supported: true }] } }',
      ),
    }),
    kubernetes: 'v1.33.2',
    so: 'fails after the upgrade',
  },
  {
    when: 'its channel is gone',
    cluster: [
      ...[group('team'), source('community', 'READY'), installed()],
      subscription().replace('channel: stable', 'channel: beta'),
    ],
    so: 'stands still',
  },
  {
    when: 'its group selects no namespace',
    cluster: [
      group('team')
        .replace('targetNamespaces: [team]', 'selector: { matchLabels: { tier: none } }')
        .replace('namespaces: [team]', 'namespaces: []'),
      ...withGroup,
    ],
    isFailingAlready: true,
    so: 'fails after the upgrade',
  },
  {
    when: 'an API that the upgrade needs is nobody’s',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        ', { type: olm.gvk.required, value: { group: example.com, version: v1, kind: Dog } }',
      ),
    }),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'the upgrade asks by a rule for what no bundle is',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        `, { type: olm.constraint, value: { failureMessage: luck, cel: { rule: "properties.exists(p, p.type == 'luck')" } } }`,
      ),
    }),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'its group may not change its APIs',
    cluster: [group('team').replace('spec: {', 'spec: { staticProvidedAPIs: true,'), ...withGroup],
    catalog: catalog({
      next: bundle(
        '1.1.0',
        ', { type: olm.gvk, value: { group: example.com, version: v1, kind: Dog } }',
      ),
    }),
    so: 'fails after the upgrade',
  },
  {
    when: 'another operator of the namespace has the API that the upgrade brings',
    cluster: [
      ...usual,
      installed()
        .replaceAll('cats.v1.0.0', 'rival.v1.0.0')
        .replace('owned: []', 'owned: [{ name: dogs.example.com, version: v1, kind: Dog }]'),
    ],
    catalog: catalog({
      next: bundle(
        '1.1.0',
        ', { type: olm.gvk, value: { group: example.com, version: v1, kind: Dog } }',
      ),
    }),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'nothing takes over from what is installed',
    cluster: [
      ...[group('team'), source('community', 'READY')],
      subscription().replaceAll('cats.v1.0.0', 'cats.v0.1.0'),
      installed()
        .replaceAll('cats.v1.0.0', 'cats.v0.1.0')
        .replace('version: 1.0.0', 'version: 0.1.0'),
    ],
    so: 'stands still',
    isSaidOfWrites: true,
  },
  {
    when: 'what is installed fails',
    cluster: [
      ...usual.slice(0, -1),
      installed().replace(/status: .*/, 'status: { phase: Failed, reason: InstallCheckFailed }'),
    ],
    so: 'waits for a step before',
  },
  {
    when: 'the plan of an earlier step failed',
    cluster: [...usual, waitingPlan.replace('phase: RequiresApproval', 'phase: Failed')],
    so: 'waits for a step before',
  },
  {
    when: 'what is installed asks OLM to wait',
    cluster: [
      ...usual,
      `
apiVersion: operators.coreos.com/v2
kind: OperatorCondition
metadata: { name: cats.v1.0.0, namespace: team }
spec: { conditions: [{ type: Upgradeable, status: "False", reason: Busy, message: migrating }] }`,
    ],
    so: 'waits for a step before',
  },
  {
    when: 'the channel is deprecated',
    catalog: catalog({ more: deprecated.replace('olm.package', 'olm.channel, name: stable') }),
    so: 'upgrades',
  },
  {
    when: 'what is installed is gone',
    cluster: usual.slice(0, -1),
    so: 'upgrades',
  },
  {
    when: 'the channel has no such operator',
    cluster: [
      ...[group('team'), source('community', 'READY'), installed(), subscription()],
      subscription('', 'dogs').replace(/status: .*/, ''),
    ],
    so: 'stands still',
  },
];

/** Rules by which somebody says that nothing is resolved in the namespace. */
const stopping = new Set([
  ...['CatalogUnhealthy', 'CatalogSourcesUnhealthy', 'CatalogSourceMissing'],
  ...[
    'SubscriptionOperatorGroup',
    'SubscriptionPackage',
    'SubscriptionDeadEnd',
    'SubscriptionChannel',
  ],
]);

describe('one state of a namespace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-one-answer-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const [index, row] of cases.entries()) {
    it(`${row.when}: it ${row.so === 'once' ? 'upgrades once the catalog is there' : row.so}, whoever is asked`, async () => {
      const place = join(folder, String(index));
      const [stateFolder, catalogFolder] = [join(place, 'state'), join(place, 'catalog')];
      for (const each of [stateFolder, catalogFolder]) mkdirSync(each, { recursive: true });
      const texts = [...namespaces, ...(row.cluster ?? usual)];
      writeFileSync(join(stateFolder, 'state.yaml'), texts.join('\n---\n'));
      writeFileSync(join(catalogFolder, 'catalog.yaml'), row.catalog ?? catalog());
      const named = `community=${catalogFolder}`;
      const catalogs = await readKnownCatalogs([named], { keep: 'all' });
      const objects = parseDocuments(Buffer.from(texts.join('\n---\n')))
        .map(({ value }) => value)
        .filter(isObject);
      const state = FolderState.of(objects);
      state.knownCatalogs = catalogs;
      state.kubernetesVersion = row.kubernetes ?? null;
      const cluster = { ...state.cluster, serverVersion: () => Promise.resolve(row.kubernetes) };

      const { results } = await scan(state, { policy: defaultPolicy, now: new Date(0) });
      const stopped = results
        .filter(({ name }) => !name.includes('far/'))
        .flatMap(({ verdict }) => verdict.findings)
        .filter(({ rule }) => stopping.has(rule));
      const isToldByCatalogs = row.isKnownByResolving === true;

      const source = { namespace: 'team', semantics: 'olm', subscribe: [], catalogs } as const;
      const { answer } = await answerResolve(cluster, source, defaultPolicy);
      const { verdict, output } = answer;
      const conditions = verdict.warnings.filter((each) => each.includes('and nothing before'));

      const plan = await planPackage({
        ...{ policy: defaultPolicy, minors: minorsByDefault(), package: 'cats' },
        ...{ catalog: [named], state: stateFolder },
      });
      const inTheWay = plan.obstacles.filter(({ isInTheWay }) => isInTheWay);

      const subscribed = objects.find((each) => each['kind'] === 'Subscription') ?? {};
      const version = 'v1alpha1';
      const { response } = await review(
        {
          ...{ uid: '1', name: 'cats', namespace: 'team', operation: 'UPDATE' as const },
          kind: { group: 'operators.coreos.com', version, kind: 'Subscription' },
          resource: { group: 'operators.coreos.com', version, resource: 'subscriptions' },
          ...{ object: subscribed, oldObject: { ...subscribed, spec: {} } },
          userInfo: { username: 'alice' },
        },
        createReviewers(state, undefined),
        {
          ...{ policy: defaultPolicy, view: state.cluster, judge: judgeHere },
          ...{ caller: 'api-server' as const, now: new Date(0) },
        },
      );
      const warned = (response.warnings ?? []).filter((each) =>
        stopping.has(each.split(':')[0] ?? ''),
      );

      if (row.so === 'upgrades') {
        expect(stopped, 'scan').to.deep.equal([]);
        expect(
          output.installPlan.map(({ name }) => name),
          'resolve',
        ).to.deep.equal(['cats.v1.1.0']);
        expect(conditions, 'resolve').to.deep.equal([]);
        expect(inTheWay, 'plan').to.deep.equal([]);
        expect(
          plan.steps.map(({ to }) => to),
          'plan',
        ).to.deep.equal(['cats.v1.1.0']);
        expect(warned, 'the gate').to.deep.equal([]);
        return;
      }
      if (row.so === 'waits for a step before') {
        const earlier = verdict.warnings.filter((each) => each.startsWith('before anything'));
        expect(earlier, 'resolve').to.have.length(1);
        const [, rule = ''] = /see to (\w+)/.exec(earlier[0] ?? '') ?? [];
        expect(
          inTheWay.map((each) => each.rule),
          'plan',
        ).to.deep.equal([rule]);
        const said = results.flatMap((each) => each.verdict.findings).map((each) => each.rule);
        expect(said, 'scan').to.deep.equal([rule]);
        return;
      }
      if (row.so === 'fails after the upgrade') {
        const failing = 'SubscriptionInstallFails';
        const found = results
          .flatMap(({ verdict: { findings } }) => findings)
          .filter(({ severity }) => severity !== 'info')
          .filter(({ rule }) => row.isFailingAlready !== true || rule === failing);
        expect(
          found.map(({ rule }) => rule),
          'scan',
        ).to.deep.equal([failing]);
        expect(
          verdict.findings.map(({ rule, message }) => [rule, message]),
          'resolve',
        ).to.deep.equal(found.map(({ rule, message }) => [rule, message]));
        expect(
          inTheWay.map(({ rule }) => rule),
          'plan',
        ).to.deep.equal(row.kubernetes === undefined ? [failing] : []);
        expect(
          (response.warnings ?? []).map((each) => each.split(':')[0]),
          'the gate',
        ).to.deep.equal([failing]);
        return;
      }
      // Neither of them knows what would be chosen from catalogs.
      if (!isToldByCatalogs) expect(stopped, 'scan').not.to.deep.equal([]);
      const isOnce = row.so === 'once';
      expect(output.installPlan.length > 0, 'resolve').to.equal(isOnce);
      expect(conditions.length > 0, 'resolve').to.equal(isOnce);
      const causes = new Set(inTheWay.map(({ rule }) => rule));
      expect([...causes], 'plan tells the cause, and not what follows').to.have.length(1);
      // What the gate may say of the write of a Subscription is a warning: others may mend the cause.
      expect(response.allowed, 'the gate').to.equal(true);
      if (row.isSaidOfWrites === true) expect(warned, 'the gate').not.to.deep.equal([]);
    });
  }
});
