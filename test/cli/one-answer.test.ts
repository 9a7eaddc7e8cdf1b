/** What becomes of a namespace: no two of `scan`, `resolve`, `plan` and the gate say the contrary of one state. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createReviewers } from '../../src/gate/admission/reviewers.js';
import { review } from '../../src/gate/admission/review.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { ruleNamed } from '../../src/policy/index.js';
import { defaultPolicy } from '../../src/policy/policy.js';
import { scan } from '../../src/checks/cluster-scan/scan.js';
import { FolderState } from '../../src/cluster/olm-state/folder-state.js';
import { explainPaths, packageOf } from '../../src/olm/index.js';
import { planPackage } from '../../src/cli/plan/plan-package.js';
import { readKnownCatalogs } from '../../src/cli/options/known-catalogs.js';
import { answerResolve } from '../../src/cli/resolve/resolve-answer.js';
import { minorsByDefault } from '../../src/kubernetes/index.js';
import { isObject, parseDocuments } from '../../src/text/documents/index.js';
import { runHere } from './command.js';

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

const bundle = (version: string, properties = '', name = 'cats'): string => `---
schema: olm.bundle
name: ${name}.v${version}
package: ${name}
image: example.com/${name}:${version}
properties: [{ type: olm.package, value: { packageName: ${name}, version: ${version} } }${properties}]
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
const packaged = (name: string, entries: string): string => `---
schema: olm.package
name: ${name}
defaultChannel: stable
---
schema: olm.channel
package: ${name}
name: stable
entries: [${entries}]
`;
const dog = 'value: { group: example.com, version: v1, kind: Dog }';
const needsDog = `, { type: olm.gvk.required, ${dog} }`;
const bringsDog = `, { type: olm.gvk, ${dog} }`;
/** A package of one release, which provides the API Dog. */
const providing = (name: string, more = ''): string =>
  `${packaged(name, `{ name: ${name}.v1.0.0 }`)}${bundle('1.0.0', bringsDog + more, name)}`;
const constraint = (body: string): string =>
  `, { type: olm.constraint, value: { failureMessage: luck, ${body} } }`;
const dogsFrom = (range: string): string =>
  `{ failureMessage: dogs, package: { packageName: dogs, versionRange: "${range}" } }`;
const anyDog = '{ failureMessage: dog, gvk: { group: example.com, version: v1, kind: Dog } }';
/** As OLM projects it. */
const ofPackage = (name: string, version: string): string =>
  `operatorframework.io/properties: '{"properties":[{"type":"olm.package","value":{"packageName":"${name}","version":"${version}"}}]}'`;
const openShift = `
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: { name: version }
status: { desired: { version: 4.18.3 } }`;
const upTo418 = ', { type: olm.maxOpenShiftVersion, value: "4.18" }';
const isLimited =
  'cats.v1.1.0 works on OpenShift up to 4.18: once it is installed, the cluster (4.18.3) does not go to its next minor version';
const needsDogs =
  ', { type: olm.package.required, value: { packageName: dogs, versionRange: ">=1.0.0" } }';
const deprecated = `---
schema: olm.deprecations
package: cats
entries: [{ reference: { schema: olm.package }, message: use dogs }]
`;

const definition = (type: string): string =>
  JSON.stringify({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'dogs.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'dogs', kind: 'Dog' } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { age: { type } } } },
            },
          },
        },
      ],
    },
  });
const carrying = (manifest: string): string => {
  const data = Buffer.from(manifest).toString('base64');
  return `, { type: olm.bundle.object, value: { data: "${data}" } }`;
};

interface Case {
  readonly when: string;
  /** Left out: one group, one catalog that is READY, and the Subscription with what it installed. */
  readonly cluster?: readonly string[];
  readonly catalog?: string;
  /** A folder, which is what `plan` reads here, does not tell it. */
  readonly kubernetes?: string;
  /** The truth. `once` a catalog is reached that never was: as READY as nobody knows. */
  readonly so:
    | 'upgrades'
    | 'stays'
    | 'stands still'
    | 'once'
    | 'fails after the upgrade'
    | 'waits for a step before';
  /** Other catalogs, by name. */
  readonly catalogs?: Readonly<Record<string, string>>;
  /** Left out: cats.v1.1.0. */
  readonly to?: string;
  /** Installed with it. */
  readonly also?: readonly string[];
  /** Said by all of them, beside the rest. */
  readonly note?: string;
  /** What is installed has failed for the same reason. */
  readonly isFailingAlready?: true;
  /** Only who resolves knows. */
  readonly isKnownByResolving?: true;
  /** The catalog holds the definition as it is now, too, so that a step of a plan says it. */
  readonly isSaidOfStep?: true;
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
    when: 'two packages provide an API that the upgrade needs',
    catalog: catalog({
      next: bundle('1.1.0', needsDog),
      more: providing('dogs') + providing('hounds'),
    }),
    so: 'upgrades',
    also: ['dogs.v1.0.0'],
  },
  {
    when: 'two catalogs of one priority provide it',
    cluster: [...usual, source('second', 'READY')],
    catalog: catalog({ next: bundle('1.1.0', needsDog), more: providing('dogs') }),
    catalogs: { second: providing('dogs') },
    so: 'upgrades',
    also: ['dogs.v1.0.0'],
  },
  {
    when: 'one of several constraints is met',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        constraint(`any: { constraints: [${dogsFrom('>=2.0.0')}, ${anyDog}] }`),
      ),
      more: providing('dogs'),
    }),
    so: 'upgrades',
    also: ['dogs.v1.0.0'],
  },
  {
    when: 'one of all constraints is not met',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        constraint(`all: { constraints: [${dogsFrom('>=2.0.0')}, ${anyDog}] }`),
      ),
      more: providing('dogs'),
    }),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'a constraint excludes what no bundle has to be',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        constraint(
          `all: { constraints: [{ failureMessage: none, not: { constraints: [${dogsFrom('>=1.0.0')}] } }] }`,
        ),
      ),
      more: providing('dogs'),
    }),
    so: 'upgrades',
  },
  {
    when: 'a rule asks for a package that the catalog has',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        constraint(
          `cel: { rule: "properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'dogs')" }`,
        ),
      ),
      more: providing('dogs'),
    }),
    so: 'upgrades',
    also: ['dogs.v1.0.0'],
  },
  {
    when: 'a rule cannot be read',
    catalog: catalog({
      next: bundle('1.1.0', constraint('cel: { rule: "properties.exists(p, " }')),
    }),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'a second Subscription asks for the package',
    cluster: [
      ...usual,
      subscription()
        .replace('{ name: cats, namespace', '{ name: again, namespace')
        .replace(/status: .*/, ''),
    ],
    so: 'upgrades',
  },
  {
    when: 'its group leaves the global catalogs out',
    cluster: [
      group('team').replace(
        'namespace: team }',
        'namespace: team, annotations: { olm.operatorframework.io/exclude-global-namespace-resolution: "true" } }',
      ),
      ...withGroup,
    ],
    so: 'stands still',
    isSaidOfWrites: true,
  },
  {
    when: 'its catalog is of a namespace that OLM does not look into',
    cluster: [
      ...[group('team'), installed(), source('community', 'READY', 'far')],
      subscription().replace('sourceNamespace: olm', 'sourceNamespace: far'),
    ],
    so: 'stands still',
    isSaidOfWrites: true,
  },
  {
    when: 'what it replaced is still there',
    cluster: [
      ...usual.slice(0, -1),
      installed().replace('version: 1.0.0,', 'version: 1.0.0, replaces: cats.v0.9.0,'),
      installed()
        .replaceAll('1.0.0', '0.9.0')
        .replace('annotations: { ', `annotations: { ${ofPackage('cats', '0.9.0')}, `)
        .replace(
          /status: .*/,
          `status: { phase: Replacing, lastTransitionTime: "${new Date().toISOString()}" }`,
        ),
    ],
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'an entry skips the next one',
    catalog:
      packaged(
        'cats',
        '{ name: cats.v1.2.0, replaces: cats.v1.1.0, skips: [cats.v1.0.0, cats.v1.1.0] }, { name: cats.v1.1.0, replaces: cats.v1.0.0 }, { name: cats.v1.0.0 }',
      ) + ['1.0.0', '1.1.0', '1.2.0'].map((version) => bundle(version)).join(''),
    so: 'upgrades',
    to: 'cats.v1.2.0',
  },
  {
    when: 'what is installed is only skipped by name',
    catalog:
      packaged('cats', '{ name: cats.v1.1.0, replaces: cats.v0.9.0, skips: [cats.v1.0.0] }') +
      bundle('1.1.0'),
    so: 'upgrades',
  },
  {
    when: 'the head is a pre-release',
    catalog:
      packaged('cats', '{ name: cats.v1.0.0 }, { name: cats.v1.1.0-rc.1, replaces: cats.v1.0.0 }') +
      bundle('1.0.0') +
      bundle('1.1.0-rc.1'),
    so: 'upgrades',
    to: 'cats.v1.1.0-rc.1',
  },
  {
    when: 'the upgrade is deprecated',
    catalog: catalog({
      more: deprecated.replace('olm.package }', 'olm.bundle, name: cats.v1.1.0 }'),
    }),
    so: 'upgrades',
    note: 'use dogs',
  },
  {
    when: 'another catalog has a later release',
    cluster: [...usual, source('second', 'READY')],
    catalog: packaged('cats', '{ name: cats.v1.0.0 }') + bundle('1.0.0'),
    catalogs: { second: catalog() },
    so: 'stays',
  },
  {
    when: 'what is installed is ahead of the channel',
    cluster: [
      group('team'),
      source('community', 'READY'),
      ...[subscription(), installed()].map((each) => each.replaceAll('1.0.0', '2.0.0')),
    ],
    catalog: catalog({
      more: `---
schema: olm.channel
package: cats
name: fast
entries: [{ name: cats.v2.0.0 }]
${bundle('2.0.0')}`,
    }),
    so: 'stays',
  },
  {
    when: 'the catalog has lost what is installed',
    cluster: [
      group('team'),
      source('community', 'READY'),
      ...[subscription(), installed()].map((each) => each.replaceAll('1.0.0', '2.0.0')),
    ],
    so: 'stands still',
  },
  {
    when: 'its Subscription names no channel',
    cluster: [
      ...[group('team'), source('community', 'READY'), installed()],
      subscription().replace('channel: stable, ', ''),
    ],
    so: 'upgrades',
  },
  {
    when: 'its group targets a namespace that is not there',
    cluster: [
      group('team').replaceAll('[team]', '[gone, team]'),
      ...withGroup.map((each) =>
        each.replace(
          'supported: true }',
          'supported: true }, { type: MultiNamespace, supported: true }',
        ),
      ),
    ],
    so: 'upgrades',
  },
  {
    when: 'a copy provides the API that the upgrade needs',
    cluster: [
      ...usual,
      installed()
        .replaceAll('cats.v1.0.0', 'dogs.v1.0.0')
        .replace('namespace: team,', 'namespace: team, labels: { olm.copiedFrom: far },')
        .replace('owned: []', 'owned: [{ name: dogs.example.com, version: v1, kind: Dog }]'),
    ],
    catalog: catalog({ next: bundle('1.1.0', needsDog) }),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'another operator needs an API that the upgrade drops',
    cluster: [
      ...usual,
      installed()
        .replaceAll('cats.v1.0.0', 'mice.v1.0.0')
        .replace(
          'owned: []',
          'owned: [], required: [{ name: dogs.example.com, version: v1, kind: Dog }]',
        ),
    ],
    catalog: catalog().replace(bundle('1.0.0'), bundle('1.0.0', bringsDog)),
    so: 'stands still',
    isKnownByResolving: true,
  },
  {
    when: 'what the upgrade pulls in does not fit its group',
    catalog: catalog({
      next: bundle('1.1.0', needsDog),
      more: providing(
        'dogs',
        ', { type: olm.csv.metadata, value: { installModes: [{ type: AllNamespaces, supported: true }] } }',
      ),
    }),
    so: 'fails after the upgrade',
    isKnownByResolving: true,
  },
  {
    when: 'the upgrade works up to the OpenShift that runs',
    cluster: [...usual, openShift],
    catalog: catalog({ next: bundle('1.1.0', upTo418) }),
    so: 'upgrades',
    note: isLimited,
  },
  ...[bundle('1.0.0', carrying(definition('string'))), bundle('1.0.0')].map(
    (present, index): Case => ({
      when: `the upgrade breaks a definition on the cluster${index === 0 ? '' : ', which the catalog does not have as it is'}`,
      cluster: [...usual, definition('string')],
      catalog: catalog({ next: bundle('1.1.0', carrying(definition('integer'))) }).replace(
        bundle('1.0.0'),
        present,
      ),
      so: 'fails after the upgrade',
      ...(index === 0 && { isSaidOfStep: true }),
    }),
  ),
  {
    when: 'the upgrade keeps a definition on the cluster, but for its words',
    cluster: [...usual, definition('string')],
    catalog: catalog({
      next: bundle(
        '1.1.0',
        carrying(definition('string').replace('"age":{', '"age":{"description":"in years",')),
      ),
    }),
    so: 'upgrades',
  },
  {
    when: 'nothing is installed yet',
    cluster: [
      ...[group('team'), source('community', 'READY')],
      subscription().replace(/status: .*/, ''),
    ],
    so: 'upgrades',
  },
  {
    when: 'what runs is owned by no Subscription',
    cluster: [
      ...[group('team'), source('community', 'READY')],
      subscription().replace(/status: .*/, ''),
      installed().replace('annotations: { ', `annotations: { ${ofPackage('cats', '1.0.0')}, `),
    ],
    so: 'stands still',
    isSaidOfWrites: true,
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
    'SubscriptionUnownedOperator',
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
      const named = [`community=${catalogFolder}`];
      for (const [name, text] of Object.entries(row.catalogs ?? {})) {
        mkdirSync(join(place, name));
        writeFileSync(join(place, name, 'catalog.yaml'), text);
        named.push(`${name}=${join(place, name)}`);
      }
      const catalogs = await readKnownCatalogs(named, { keep: 'all' });
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
      const { verdict, output } = await answerResolve(cluster, source, defaultPolicy);
      const conditions = verdict.warnings.filter((each) => each.includes('and nothing before'));

      const plan = await planPackage({
        ...{ policy: defaultPolicy, minors: minorsByDefault(), given: [], package: 'cats' },
        ...{ catalog: named, state: stateFolder },
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

      if (row.note !== undefined) {
        const found = results.flatMap((each) => each.verdict.findings);
        const said = {
          scan: found.map(({ message }) => message),
          resolve: verdict.warnings,
          plan: plan.obstacles.map(({ message }) => message),
          gate: response.warnings ?? [],
        };
        for (const [command, messages] of Object.entries(said))
          expect(messages.join('\n'), command).to.include(row.note);
      }
      if (row.so === 'upgrades' || row.so === 'stays') {
        const to = row.so === 'stays' ? [] : [row.to ?? 'cats.v1.1.0'];
        expect(stopped, 'scan').to.deep.equal([]);
        expect(
          output.installPlan.map(({ name }) => name),
          'resolve',
        ).to.have.members([...to, ...(row.also ?? [])]);
        expect(conditions, 'resolve').to.deep.equal([]);
        expect(inTheWay, 'plan').to.deep.equal([]);
        expect(
          plan.steps.map((step) => step.to),
          'plan',
        ).to.deep.equal(to);
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
        if (row.isKnownByResolving === true) {
          const said = verdict.findings.filter(({ severity }) => severity !== 'info');
          expect(
            said.map(({ rule }) => rule),
            'resolve',
          ).to.deep.equal([failing]);
          expect(
            inTheWay.map(({ message }) => message),
            'plan',
          ).to.deep.equal(said.map(({ message }) => message));
          return;
        }
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
        ).to.deep.equal(
          row.kubernetes === undefined && row.isSaidOfStep === undefined ? [failing] : [],
        );
        expect(
          plan.steps.map((step) => step.state).includes('blocked'),
          'a step of the plan',
        ).to.equal(row.isSaidOfStep === true);
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

const extension = (source = '', spec = ''): string => `
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: { name: cats }
spec: { namespace: team, ${spec} source: { sourceType: Catalog, catalog: { packageName: cats${source} } } }
status: { install: { bundle: { name: cats.v1.0.0, version: 1.0.0 } } }`;
const clusterCatalog = (name: string, spec = '', serving = '"True"'): string => `
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata: { name: ${name} }
spec: { ${spec} source: { type: Image, image: { ref: "example.com/${name}:1" } } }
status: { conditions: [{ type: Serving, status: ${serving}, reason: Available }] }`;
const metadata = (spec: string): string => `, { type: olm.csv.metadata, value: { ${spec} } }`;
const inAllNamespaces = 'installModes: [{ type: AllNamespaces, supported: true }]';
const ownNamespaceOnly = catalog({
  next: bundle('1.1.0', metadata('installModes: [{ type: OwnNamespace, supported: true }]')),
});
const withoutEdge = catalog({
  more: '---\nschema: olm.channel\npackage: cats\nname: old\nentries: [{ name: cats.v1.0.0 }]\n',
}).replace(
  '{ name: cats.v1.0.0 }, { name: cats.v1.1.0, replaces: cats.v1.0.0 }',
  '{ name: cats.v1.1.0 }',
);
const bundleAnnotations = `annotations:
  operators.operatorframework.io.bundle.mediatype.v1: registry+v1
  operators.operatorframework.io.bundle.manifests.v1: manifests/
  operators.operatorframework.io.bundle.metadata.v1: metadata/
  operators.operatorframework.io.bundle.package.v1: cats
  operators.operatorframework.io.bundle.channels.v1: stable
`;
const csvOwning = (owned: string): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: { name: cats.v1.1.0 }
spec:
  version: 1.1.0
  installModes: [{ type: AllNamespaces, supported: true }]
  customresourcedefinitions: { owned: [${owned}] }
  install: { strategy: deployment, spec: { deployments: [] } }`;

interface ExtensionCase {
  readonly when: string;
  /** Left out: one catalog that is served. */
  readonly cluster?: readonly string[];
  readonly extension?: string;
  readonly catalog?: string;
  readonly catalogs?: readonly string[];
  /** The rule that has the reason; left out where it upgrades. */
  readonly rule?: string;
  /** OLM's own reason. */
  readonly says?: string;
  /** A plan changes the version, which is all that is wrong. */
  readonly isMendedByPlan?: true;
  /** The catalog is enough to know it. */
  readonly isKnownByCatalog?: true;
  /** It stays where it is, and OLM reports no error. */
  readonly stays?: true;
  /** The plan tells more than what OLM resolves. */
  readonly note?: string;
  readonly isBlocked?: true;
  /** Left out: cats.v1.1.0. */
  readonly to?: string;
  readonly from?: string;
  /** Of the bundle's folder, which only a plan may be told. */
  readonly manifests?: readonly string[];
  /** The rule and its reason. */
  readonly isKnownByBundle?: readonly [rule: string, says: string];
}

const upgrading = 'error upgrading from currently installed version "1.0.0": ';
const chosen = 'error for resolved bundle "cats.v1.1.0" with version "1.1.0": ';
const extensionCases: readonly ExtensionCase[] = [
  { when: 'all is well' },
  {
    when: 'its catalogs have no such package',
    catalog: catalog().replaceAll('cats', 'dogs'),
    rule: 'ClusterExtensionPackage',
    says: `${upgrading}no bundles found for package "cats"`,
  },
  {
    when: 'no version is in its range',
    extension: extension(', version: ">=2.0.0"'),
    rule: 'ClusterExtensionVersion',
    says: `${upgrading}no bundles found for package "cats" matching version ">=2.0.0"`,
    isMendedByPlan: true,
  },
  {
    when: 'its range is none',
    extension: extension(', version: ">=1.0.0 beta"'),
    rule: 'ClusterExtensionRange',
    says: 'desired version range ">=1.0.0 beta" is invalid: ',
    isMendedByPlan: true,
  },
  {
    when: 'the package has no such channel',
    extension: extension(', channels: [beta]'),
    rule: 'ClusterExtensionChannel',
    says: 'package "cats" has no channel "beta"',
  },
  {
    when: 'no edge leads to the version that it names',
    extension: extension(', version: 1.1.0'),
    catalog: withoutEdge,
    rule: 'ClusterExtensionUpgradePath',
    says: `${upgrading}no bundles found for package "cats" matching version "1.1.0"`,
  },
  {
    when: 'no edge is asked for',
    extension: extension(', upgradeConstraintPolicy: SelfCertified'),
    catalog: withoutEdge,
  },
  { when: 'no edge leads on', catalog: withoutEdge, stays: true },
  {
    when: 'what is installed is in no catalog',
    extension: extension().replaceAll('1.0.0', '0.1.0'),
    rule: 'ClusterExtensionUpgradePath',
    says: `${upgrading.replace('1.0.0', '0.1.0')}no bundles found for package "cats"`,
    isKnownByCatalog: true,
  },
  {
    when: 'two catalogs of one priority have it',
    cluster: [clusterCatalog('community'), clusterCatalog('second')],
    catalogs: ['community', 'second'],
    rule: 'ClusterExtensionUnresolvable',
    says: `${upgrading}found bundles for package "cats" in multiple catalogs with the same priority [community second]`,
    isKnownByCatalog: true,
  },
  {
    when: 'one of two catalogs comes first on the cluster',
    cluster: [clusterCatalog('community'), clusterCatalog('second', 'priority: 5,')],
    catalogs: ['community', 'second'],
  },
  {
    when: 'its selector takes one of two catalogs',
    extension: extension(
      ', selector: { matchLabels: { olm.operatorframework.io/metadata.name: second } }',
    ),
    cluster: [clusterCatalog('community'), clusterCatalog('second')],
    catalogs: ['community', 'second'],
  },
  {
    when: 'its selector takes no catalog',
    extension: extension(', selector: { matchLabels: { tier: none } }'),
    rule: 'ClusterExtensionPackage',
    says: `${upgrading}no bundles found for package "cats"`,
  },
  {
    when: 'its selector cannot be read',
    extension: extension(', selector: { matchExpressions: [{ key: tier, operator: Near }] }'),
    rule: 'ClusterExtensionUnresolvable',
    says: 'desired catalog selector is invalid: ',
  },
  {
    when: 'its catalog is switched off',
    cluster: [clusterCatalog('community', 'availabilityMode: Unavailable,')],
    rule: 'ClusterExtensionPackage',
    says: `${upgrading}no bundles found for package "cats"`,
  },
  {
    when: 'its catalog is not served',
    cluster: [clusterCatalog('community', '', '"False"')],
    rule: 'ClusterExtensionUnresolvable',
    says: 'error walking catalogs: error getting package "cats" from catalog "community": catalog "community" is not being served',
  },
  {
    when: 'the upgrade has a dependency',
    catalog: catalog({ next: bundle('1.1.0', needsDogs) }),
    rule: 'ClusterExtensionUnresolvable',
    says: 'validating bundle "cats.v1.1.0": bundle "cats.v1.1.0" has a dependency declared via property "olm.package.required" which is currently not supported',
    isKnownByCatalog: true,
  },
  {
    when: 'the upgrade is deprecated',
    catalog: catalog({
      more: deprecated.replace('olm.package', 'olm.bundle, name: cats.v1.1.0'),
    }),
    stays: true,
  },
  {
    when: 'the upgrade watches its own namespace alone',
    catalog: ownNamespaceOnly,
    rule: 'ClusterExtensionUnresolvable',
    says: `${chosen}unsupported bundle: bundle does not support AllNamespaces install mode`,
    isKnownByCatalog: true,
  },
  {
    when: 'the configuration names a namespace for an operator that watches all',
    extension: extension('', 'config: { configType: Inline, inline: { watchNamespace: far } },'),
    catalog: catalog({ next: bundle('1.1.0', metadata(inAllNamespaces)) }),
    rule: 'ClusterExtensionUnresolvable',
    says: `${chosen}invalid ClusterExtension configuration: invalid configuration: unknown field "watchNamespace"`,
  },
  {
    when: 'the configuration names no namespace for an operator that watches one',
    extension: extension('', 'config: { configType: Inline, inline: { deploymentConfig: {} } },'),
    catalog: ownNamespaceOnly,
    rule: 'ClusterExtensionUnresolvable',
    says: `${chosen}invalid ClusterExtension configuration: invalid configuration: required field "watchNamespace" is missing`,
  },
  {
    when: 'the configuration names its own namespace for an operator that watches it',
    extension: extension('', 'config: { configType: Inline, inline: { watchNamespace: team } },'),
    catalog: ownNamespaceOnly,
  },
  {
    when: 'the upgrade serves an API by itself',
    catalog: catalog({
      next: bundle(
        '1.1.0',
        metadata(`${inAllNamespaces}, apiServiceDefinitions: { owned: [{ name: x, group: a.b }] }`),
      ),
    }),
    rule: 'ClusterExtensionUnresolvable',
    says: `${chosen}unsupported bundle: apiServiceDefintions are not supported`,
    isKnownByCatalog: true,
  },
  {
    when: 'another ClusterExtension has installed the package',
    cluster: [
      clusterCatalog('community'),
      extension().replace('{ name: cats }', '{ name: first }'),
    ],
    extension: extension().replace(/status: .*/, ''),
    catalog: catalog({ next: bundle('1.1.0', bringsDog) }).replace(
      bundle('1.0.0'),
      bundle('1.0.0', bringsDog),
    ),
    rule: 'ClusterExtensionInstallFails',
    says: 'the API Dog (example.com) is there already and belongs to ClusterExtension first',
    from: 'cats.v1.0.0',
  },
  {
    when: 'an operator of OLM classic has an API that the upgrade brings',
    cluster: [
      clusterCatalog('community'),
      installed()
        .replaceAll('cats', 'dogs')
        .replace('owned: []', 'owned: [{ name: dogs.example.com, version: v1, kind: Dog }]'),
    ],
    catalog: catalog({ next: bundle('1.1.0', bringsDog) }),
    rule: 'ClusterExtensionInstallFails',
    says: 'the API Dog (example.com) is there already and belongs to ClusterServiceVersion team/dogs.v1.0.0',
  },
  {
    when: 'a definition that the upgrade brings belongs to another ClusterExtension',
    cluster: [
      clusterCatalog('community'),
      definition('string').replace(
        '"metadata":{',
        '"metadata":{"labels":{"olm.operatorframework.io/owner-name":"kennel"},',
      ),
    ],
    catalog: catalog({ next: bundle('1.1.0', carrying(definition('string'))) }),
    rule: 'ClusterExtensionInstallFails',
    says: 'CustomResourceDefinition dogs.example.com is there already and belongs to ClusterExtension kennel',
  },
  {
    when: 'a definition that the upgrade brings was applied by somebody',
    cluster: [clusterCatalog('community'), definition('string')],
    catalog: catalog({ next: bundle('1.1.0', carrying(definition('string'))) }),
    rule: 'ClusterExtensionInstallFails',
    says: 'CustomResourceDefinition dogs.example.com is there already and belongs to no ClusterExtension',
  },
  {
    when: 'it has the definition already that the upgrade brings',
    cluster: [clusterCatalog('community'), definition('string')],
    catalog: catalog({ next: bundle('1.1.0', carrying(definition('string'))) }).replace(
      bundle('1.0.0'),
      bundle('1.0.0', carrying(definition('string'))),
    ),
  },
  {
    when: 'the upgrade breaks a definition of its own on the cluster',
    cluster: [
      clusterCatalog('community'),
      definition('string').replace(
        '"metadata":{',
        '"metadata":{"labels":{"olm.operatorframework.io/owner-name":"cats"},',
      ),
    ],
    catalog: catalog({ next: bundle('1.1.0', carrying(definition('integer'))) }),
    rule: 'ClusterExtensionInstallFails',
    says: 'OLM v1 installs cats.v1.1.0, whose CustomResourceDefinition dogs.example.com breaks the one on the cluster: ',
  },
  {
    when: 'only a pre-release is in its range',
    extension: extension(', version: ">=1.1.0"'),
    catalog: catalog().replaceAll('1.1.0', '1.1.0-rc.1'),
    rule: 'ClusterExtensionVersion',
    says: 'a range without a pre-release takes none',
    isMendedByPlan: true,
    to: 'cats.v1.1.0-rc.1',
  },
  {
    when: 'it names a version before the one that is installed',
    extension: extension(', version: 1.0.0').replaceAll(
      /(cats\.v|bundle: .*version: )1\.0\.0/g,
      '$11.1.0',
    ),
    rule: 'ClusterExtensionForcing',
    says: `${upgrading.replace('1.0.0', '1.1.0')}no bundles found for package "cats" matching version "1.0.0"`,
  },
  {
    when: 'it names a ServiceAccount that is not there',
    extension: extension('', 'serviceAccount: { name: gone },'),
  },
  {
    when: 'its preflight checks are switched off',
    extension: extension(
      '',
      'install: { preflight: { crdUpgradeSafety: { enforcement: None } } },',
    ),
  },
  {
    when: 'the bundle lacks a definition that it owns',
    manifests: [csvOwning('{ name: dogs.example.com, version: v1, kind: Dog }')],
    isKnownByBundle: ['OwnedCrdMissing', 'dogs.example.com'],
  },
  {
    when: 'the bundle has an object of a kind that OLM v1 does not install',
    manifests: [
      csvOwning(''),
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: spare }',
    ],
    isKnownByBundle: ['RefusedByOlmV1', 'unsupported resource "spare" with kind "Widget"'],
  },
  {
    when: 'the upgrade works up to the OpenShift that runs',
    cluster: [clusterCatalog('community'), openShift],
    catalog: catalog({
      next: bundle('1.1.0', upTo418),
    }),
    note: isLimited,
  },
  {
    when: 'the upgrade changes a definition so that stored objects break',
    catalog: catalog({
      next: bundle('1.1.0', carrying(definition('integer'))),
    }).replace(bundle('1.0.0'), bundle('1.0.0', carrying(definition('string')))),
    isBlocked: true,
  },
];

describe('an operator without a Subscription that another one needs newer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-one-orphan-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is told by scan and resolve in the same words', async () => {
    const orphan = installed().replace(
      'annotations: { ',
      `annotations: { ${ofPackage('cats', '1.0.0')}, `,
    );
    const [needing = ''] = subscription('', 'dogs').split('\nstatus:');
    const texts = [...namespaces, group('team'), source('community', 'READY'), orphan, needing];
    const newer =
      ', { type: olm.package.required, value: { packageName: cats, versionRange: ">=1.1.0" } }';
    const more = packaged('dogs', '{ name: dogs.v1.0.0 }') + bundle('1.0.0', newer, 'dogs');
    for (const each of ['state', 'catalog']) mkdirSync(join(folder, each));
    writeFileSync(join(folder, 'state', 'state.yaml'), texts.join('\n---\n'));
    writeFileSync(join(folder, 'catalog', 'catalog.yaml'), catalog({ more }));
    const asked = ['--state', 'state', '--catalog', 'community=catalog', '-o', 'json'];
    const scanned = await runHere(['scan', ...asked], { cwd: folder });
    const resolved = await runHere(['resolve', '-n', 'team', ...asked], { cwd: folder });
    const { verdict } = JSON.parse(resolved.stdout) as {
      verdict: { findings: { message: string }[] };
    };
    const [conflict] = verdict.findings;
    expect(conflict?.message).to.include('cats.v1.0.0 runs in the namespace');
    expect(scanned.stdout).to.include(JSON.stringify(conflict?.message));
    expect([scanned.code, resolved.code]).to.deep.equal([1, 1]);
  });
});

describe('a definition that the next bundle breaks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-broken-definition-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is told by the commands, which keep the definitions of installed packages alone', async () => {
    const state = [...namespaces, ...usual, definition('string')].join('\n---\n');
    writeFileSync(join(folder, 'state.yaml'), state);
    mkdirSync(join(folder, 'catalog'));
    const contents = catalog({ next: bundle('1.1.0', carrying(definition('integer'))) });
    writeFileSync(join(folder, 'catalog', 'catalog.yaml'), contents);
    const told =
      'OLM installs cats.v1.1.0, whose CustomResourceDefinition dogs.example.com breaks the one on the cluster: ChangeValidator: version "v1", field "^.spec.age": type changed from "string" to "integer"';
    for (const command of [['scan'], ['resolve', '-n', 'team']]) {
      const args = [...command, '--state', 'state.yaml', '--catalog', 'community=catalog'];
      const { code, stdout } = await runHere(args, { cwd: folder });
      expect(code, command.join(' ')).to.equal(0);
      expect(stdout, command.join(' ')).to.include(told);
    }
  });
});

describe('one state of a ClusterExtension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-one-extension-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const [index, row] of extensionCases.entries()) {
    const outcome = row.rule ?? (row.stays === true ? 'it stays' : 'it upgrades');
    it(`${row.when}: ${outcome}, whoever is asked`, async () => {
      const place = join(folder, String(index));
      const [stateFolder, catalogFolder] = [join(place, 'state'), join(place, 'catalog')];
      for (const each of [stateFolder, catalogFolder]) mkdirSync(each, { recursive: true });
      const others = [...namespaces, ...(row.cluster ?? [clusterCatalog('community')])];
      const texts = [row.extension ?? extension(), ...others];
      writeFileSync(join(stateFolder, 'state.yaml'), texts.join('\n---\n'));
      writeFileSync(join(catalogFolder, 'catalog.yaml'), row.catalog ?? catalog());
      const named = (row.catalogs ?? ['community']).map((name) => `${name}=${catalogFolder}`);
      const catalogs = await readKnownCatalogs(named, { keep: 'all' });
      const objects = parseDocuments(Buffer.from(texts.join('\n---\n')))
        .map(({ value }) => value)
        .filter(isObject);
      const state = FolderState.of(objects);
      state.knownCatalogs = catalogs;
      const [asked = {}] = objects;

      const { results } = await scan(state, { policy: defaultPolicy, now: new Date(0) });
      const found = results
        .filter(({ name }) => name.startsWith('ClusterExtension '))
        .flatMap(({ verdict }) => verdict.findings);
      const reasons = found.filter(({ rule }) => ruleNamed(rule)?.blocksUpgrade === true);
      const resolution = found.find(({ rule }) => rule === 'ClusterExtensionResolution');

      const version = 'v1';
      const { response } = await review(
        {
          ...{ uid: '1', name: 'cats', operation: 'UPDATE' as const },
          kind: { group: 'olm.operatorframework.io', version, kind: 'ClusterExtension' },
          resource: { group: 'olm.operatorframework.io', version, resource: 'clusterextensions' },
          ...{ object: asked, oldObject: { ...asked, spec: {} } },
          userInfo: { username: 'alice' },
        },
        createReviewers(state, undefined),
        {
          ...{ policy: defaultPolicy, view: state.cluster, judge: judgeHere },
          ...{ caller: 'api-server' as const, now: new Date(0) },
        },
      );
      // An error of a range that cannot be read is denied, and says so instead of warning.
      const gate = [...(response.warnings ?? []), response.status?.message ?? ''].join('\n');

      const source = { namespace: 'team', semantics: 'olm', subscribe: [], catalogs } as const;
      const answer = await answerResolve(state.cluster, source, defaultPolicy);
      expect(answer.output.installPlan, 'resolve, which is about OLM classic').to.deep.equal([]);

      const packages = catalogs.flatMap(
        ({ catalog: contents, ...each }) => packageOf(contents, 'cats', each) ?? [],
      );
      const from = row.extension?.includes('name: cats.v0.1.0') === true ? '0.1.0' : '1.0.0';
      const [path] =
        packages.length === 0
          ? []
          : explainPaths({ packageName: 'cats', catalogs: packages, from, only: 'v1' }).paths;

      const bundles = row.manifests && join(place, 'bundles');
      for (const [at, text] of (row.manifests ?? []).entries()) {
        const own = join(place, 'bundles', 'cats.v1.1.0');
        for (const part of ['manifests', 'metadata'])
          mkdirSync(join(own, part), { recursive: true });
        writeFileSync(join(own, 'manifests', `${at}.yaml`), text);
        writeFileSync(join(own, 'metadata', 'annotations.yaml'), bundleAnnotations);
      }
      const planned = planPackage({
        ...{ policy: defaultPolicy, minors: minorsByDefault(), given: [], package: 'cats' },
        ...{ catalog: named, state: stateFolder, from: row.from, bundles },
      });
      if (packages.length === 0) {
        const error = await planned.then(String, String);
        expect(error, 'plan').to.include('there is no package "cats" in community');
      }
      const plan = packages.length === 0 ? undefined : await planned;
      const inTheWay = plan?.obstacles.filter(({ isInTheWay }) => isInTheWay) ?? [];
      const steps = plan?.steps.map(({ to }) => to);

      if (row.rule === undefined) {
        expect(reasons, 'scan').to.deep.equal([]);
        expect(gate, 'the gate').not.to.include('error ');
        const isThere = row.stays === true ? /^stays at / : /^replaces 1\.0\.0 by cats\.v1\.1\.0 /;
        expect(resolution?.message, 'scan').to.match(isThere);
        expect(steps, 'plan').to.deep.equal(row.stays === true ? [] : ['cats.v1.1.0']);
        if (row.isKnownByBundle !== undefined) {
          const [rule, says] = row.isKnownByBundle;
          expect(
            inTheWay.map((each) => each.rule),
            'plan',
          ).to.deep.equal([rule]);
          expect(inTheWay[0]?.message, 'plan').to.include(says);
          return;
        }
        const isDeadEnd = inTheWay.every(({ rule }) => rule === 'UpgradePath');
        expect(row.stays === true ? isDeadEnd : inTheWay.length === 0, 'plan').to.equal(true);
        const notes = plan?.obstacles.map(({ message }) => message);
        if (row.note !== undefined) {
          expect(notes, 'plan').to.include(row.note);
          expect(resolution?.message, 'scan').to.include(row.note);
          expect(gate, 'the gate').to.include(row.note);
        }
        const states = plan?.steps.map((step) => step.state) ?? [];
        expect(states.includes('blocked'), 'plan').to.equal(row.isBlocked === true);
        return;
      }
      expect(
        reasons.map(({ rule }) => rule),
        'scan',
      ).to.deep.equal([row.rule]);
      expect(reasons[0]?.message, 'scan').to.include(row.says ?? '');
      expect(gate, 'the gate').to.include(row.rule);
      expect(gate, 'the gate').to.include(row.says ?? '');
      if (row.isKnownByCatalog === true)
        expect(path?.path.error, 'catalog path').to.include(row.says ?? '');
      if (plan === undefined) return;
      expect(
        inTheWay.map(({ rule }) => rule),
        'plan',
      ).to.deep.equal(row.isMendedByPlan === true ? [] : [row.rule]);
      if (row.isMendedByPlan === true)
        expect(steps, 'plan').to.deep.equal([row.to ?? 'cats.v1.1.0']);
    });
  }
});
