import { gzipSync } from 'node:zlib';
import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import { aCrd, aCsv, aGroup, anObject, describeRule } from './testing/harness.js';
import * as rules from './install-plan-rules.js';

function aStep(kind: string, name: string, manifest: unknown, status = 'Unknown'): JsonObject {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  return { status, resource: { kind, name, manifest: text } };
}

function aPlan(approved: boolean, ...plan: JsonObject[]): JsonObject {
  return anObject('InstallPlan', 'install-1', 'ns', { spec: { approved }, status: { plan } });
}

const query = 'attenuated service account query failed - ';
const withAccount = { targetNamespaces: ['ns'], serviceAccountName: 'sa' };

describeRule(rules.installPlanOperatorGroup, [
  { when: 'one group', object: aPlan(true), cluster: [aGroup()], says: [] },
  { when: 'not approved', object: aPlan(false), says: [] },
  { when: 'approved before', object: aPlan(true), old: aPlan(true), says: [] },
  {
    when: 'approved before, and its steps are new',
    object: aPlan(true, aStep('Secret', 's', {})),
    old: aPlan(true),
    says: [/^warning: .*no operator group/],
  },
  {
    when: 'approved before, and its steps too',
    object: aPlan(true, aStep('Secret', 's', {}, 'Created')),
    old: aPlan(true, aStep('Secret', 's', {})),
    says: [],
  },
  {
    when: 'none',
    object: aPlan(true),
    old: aPlan(false),
    says: [`warning: ${query}no operator group found that is managing this namespace`],
  },
  {
    when: 'a group without targets does not count',
    object: aPlan(true),
    cluster: [aGroup({ status: [] })],
    says: [/^warning: .*no operator group/],
  },
  {
    when: 'two, one without targets',
    object: aPlan(true),
    cluster: [aGroup(), aGroup({ name: 'h', status: [] })],
    says: [],
  },
  {
    when: 'two',
    object: aPlan(true),
    cluster: [aGroup(), aGroup({ name: 'h' })],
    says: [
      `error: ${query}more than one operator group(s) are managing this namespace count=2: g, h`,
    ],
  },
  {
    when: 'a service account',
    object: aPlan(true),
    cluster: [aGroup({ spec: withAccount, statusMore: { serviceAccountRef: { name: 'sa' } } })],
    says: [],
  },
  {
    when: 'a service account that is not there',
    object: aPlan(true),
    cluster: [aGroup({ spec: withAccount })],
    says: [
      `warning: ${query}please make sure the service account exists. sa=sa operatorgroup=ns/g`,
    ],
  },
]);

const crdStep = aStep('CustomResourceDefinition', 'cats.pets', aCrd('cats.pets', ['v2']));
const broken: Finding = {
  rule: 'NoStoredVersionRemoved',
  family: 'crd-upgrade-safety',
  severity: 'error',
  effect: 'breaking',
  message: 'stored version "v1" removed',
  docs: '',
};

describeRule(rules.installPlanCrd, [
  { when: 'safe', object: aPlan(true, crdStep), cluster: [aCrd('cats.pets')], says: [] },
  { when: 'new', object: aPlan(true, crdStep), crdFindings: [broken], says: [] },
  {
    when: 'not approved',
    object: aPlan(false, crdStep),
    cluster: [aCrd('cats.pets')],
    crdFindings: [broken],
    says: [],
  },
  {
    when: 'done already',
    object: aPlan(
      true,
      aStep('CustomResourceDefinition', 'cats.pets', aCrd('cats.pets'), 'Created'),
    ),
    cluster: [aCrd('cats.pets')],
    crdFindings: [broken],
    says: [],
  },
  {
    when: 'unsafe',
    object: aPlan(true, crdStep),
    cluster: [aCrd('cats.pets')],
    crdFindings: [
      broken,
      { ...broken, rule: 'Other', severity: 'warning' },
      { ...broken, severity: 'info' },
    ],
    says: [
      'error: CustomResourceDefinition cats.pets: NoStoredVersionRemoved: stored version "v1" removed',
      'warning: CustomResourceDefinition cats.pets: Other: ',
    ],
  },
  {
    when: 'shared with an operator elsewhere',
    object: aPlan(true, crdStep),
    cluster: [aCrd('cats.pets'), aCsv({ namespace: 'far' })],
    crdFindings: [broken],
    says: [/; it is shared with far\/cats\.v1$/],
  },
  {
    when: 'a definition that cannot be judged',
    object: aPlan(true, crdStep),
    cluster: [aCrd('cats.pets')],
    crdFindings: new InvalidInputError('E_INPUT', 'has no group'),
    says: ['warning: CustomResourceDefinition cats.pets cannot be judged: has no group'],
  },
]);

const csvStep = aStep(
  'ClusterServiceVersion',
  'cats.v1',
  aCsv({ modes: ['AllNamespaces'], metadata: { namespace: 'placeholder' } }),
);
const reference = {
  kind: 'ConfigMap',
  name: 'bundle',
  namespace: 'olm',
  catalogSourceName: 'c',
  catalogSourceNamespace: 'olm',
};
const refersTo = aStep('ClusterServiceVersion', 'cats.v1', reference);
const bundled = JSON.stringify(aCsv({ modes: ['AllNamespaces'] }));
const map = (content: JsonObject) => anObject('ConfigMap', 'bundle', 'olm', content);
const unsupported =
  'error: ClusterServiceVersion cats.v1: UnsupportedOperatorGroup: UnsupportedOperatorGroup: OwnNamespace';

describeRule(rules.installPlanCsv, [
  {
    when: 'fits its group; requirements are what the plan brings',
    object: aPlan(true, csvStep),
    cluster: [aGroup({ spec: {} })],
    says: [],
  },
  { when: 'does not fit', object: aPlan(true, csvStep), cluster: [aGroup()], says: [unsupported] },
  {
    when: 'a reference to a bundle',
    object: aPlan(true, refersTo),
    cluster: [aGroup(), map({ data: { a: '::', b: bundled } })],
    says: [unsupported],
  },
  {
    when: 'a reference to a gzipped bundle',
    object: aPlan(true, refersTo),
    cluster: [
      aGroup(),
      map({ binaryData: { a: 'AAAA', b: gzipSync(bundled).toString('base64') } }),
    ],
    says: [unsupported],
  },
  {
    when: 'a reference that leads nowhere is the other rule’s',
    object: aPlan(true, refersTo),
    cluster: [aGroup()],
    says: [],
  },
]);

/** Seventeen megabytes in as many kilobytes. */
const bomb = gzipSync('- a\n'.repeat(17 << 18)).toString('base64');
const aliases = `a: &a [${'1,'.repeat(2000)}]\n${['b', 'c'].map((key) => `${key}: [*a, *a, *a]`).join('\n')}`;

describeRule(rules.installPlanBundleTooLarge, [
  { when: 'all read', object: aPlan(true, csvStep, crdStep), says: [] },
  {
    when: 'a bundle that is not there is the other rule’s',
    object: aPlan(true, refersTo),
    says: [],
  },
  {
    when: 'far more than it says',
    object: aPlan(true, refersTo),
    cluster: [map({ binaryData: { a: bomb, b: gzipSync(bundled).toString('base64') } })],
    says: [
      'error: ClusterServiceVersion cats.v1 cannot be checked: ConfigMap olm/bundle unpacks to more than 16 MiB',
    ],
  },
  {
    when: 'the same in pieces',
    object: aPlan(true, refersTo),
    cluster: [
      map({
        binaryData: Object.fromEntries(
          Array.from({ length: 5 }, (_, index) => [
            `k${index}`,
            gzipSync(' '.repeat(4 << 20)).toString('base64'),
          ]),
        ),
      }),
    ],
    says: [/unpacks to more than 16 MiB$/],
  },
  {
    when: 'YAML that stands for a multiple of itself',
    object: aPlan(true, refersTo),
    cluster: [map({ data: { a: aliases } })],
    says: [/holds a manifest that .*alias/],
  },
]);

describeRule(rules.installPlanUnchecked, [
  { when: 'all read', object: aPlan(true, csvStep, crdStep), says: [] },
  {
    when: 'other kinds do not matter',
    object: aPlan(true, aStep('Secret', 'x', reference)),
    says: [],
  },
  {
    when: 'no such bundle',
    object: aPlan(true, refersTo),
    says: [
      'warning: ClusterServiceVersion cats.v1 was not checked: its manifest is in ConfigMap olm/bundle, which does not exist',
    ],
  },
  {
    when: 'bundles not in view',
    object: aPlan(true, refersTo),
    unknown: ['ConfigMap'],
    says: [/which this view does not read$/],
  },
  {
    when: 'not in the bundle',
    object: aPlan(true, refersTo),
    cluster: [map({ data: {} })],
    says: [/does not hold it$/],
  },
  {
    when: 'no JSON',
    object: aPlan(true, aStep('ClusterServiceVersion', 'x', '{')),
    says: [/^warning: ClusterServiceVersion x was not checked: its manifest cannot be read/],
  },
  {
    when: 'no object',
    object: aPlan(true, aStep('ClusterServiceVersion', 'x', '[]')),
    says: [/its manifest is no object$/],
  },
  {
    when: 'definitions not in view',
    object: aPlan(true, crdStep),
    unknown: ['CustomResourceDefinition'],
    says: [/cats\.pets was not checked: the definition on the cluster is not in view/],
  },
]);
