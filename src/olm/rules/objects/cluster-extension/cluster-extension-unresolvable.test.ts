import type { JsonObject } from '../../../../text/documents/index.js';
import { loadCatalog } from '../../../catalogs/load.js';
import type { KnownCatalog } from '../../../objects/view.js';
import { expect } from 'chai';
import { contextOf, makeObject, describeRule } from '../testing/harness.js';
import { clusterExtensionUnresolvable } from './extension-path.js';
import { catalogs, extension, two } from './testing/extension.js';

/** One bundle of package queue that says how it can be installed. */
function installable(supported: readonly string[], owned: JsonObject[] = []): KnownCatalog {
  const installModes = supported.map((type) => ({ type, supported: true }));
  const blobs = [
    { schema: 'olm.package', name: 'queue', defaultChannel: 'stable' },
    {
      schema: 'olm.channel',
      package: 'queue',
      name: 'stable',
      entries: [{ name: 'queue.v1.0.0' }],
    },
    {
      schema: 'olm.bundle',
      package: 'queue',
      name: 'queue.v1.0.0',
      properties: [
        { type: 'olm.package', value: { packageName: 'queue', version: '1.0.0' } },
        { type: 'olm.csv.metadata', value: { installModes, apiServiceDefinitions: { owned } } },
      ],
    },
  ];
  const content = blobs.map((blob) => JSON.stringify(blob)).join('\n');
  // As the gate and plan keep it: without what bundles carry.
  const { catalog } = loadCatalog([{ path: 'catalog.json', content }], { keep: 'graph' });
  return { name: 'community', priority: 0, catalog };
}

function configured(inline: JsonObject): JsonObject {
  const object = extension();
  return {
    ...object,
    spec: { ...(object['spec'] as JsonObject), config: { configType: 'Inline', inline } },
  };
}

describeRule(clusterExtensionUnresolvable, [
  {
    when: 'two catalogs of one priority have it',
    object: extension(),
    catalogs: two,
    says: [
      'warning: found bundles for package "queue" in multiple catalogs with the same priority [a b]',
    ],
  },
  {
    when: 'a catalog that it selects is not served',
    object: extension(),
    catalogs,
    cluster: [
      makeObject('ClusterCatalog', 'community', '', {
        status: { conditions: [{ type: 'Serving', status: 'False', reason: 'Unavailable' }] },
      }),
    ],
    says: [
      'warning: error walking catalogs: error getting package "queue" from catalog "community": catalog "community" is not being served',
    ],
  },
  {
    when: 'the selector cannot be read',
    object: extension({ selector: { matchExpressions: [{ key: 'tier', operator: 'Like' }] } }),
    catalogs,
    says: [
      'warning: desired catalog selector is invalid: "Like" is not a valid label selector operator',
    ],
  },
  {
    when: 'deploymentConfig is wrong inside',
    object: configured({ deploymentConfig: { env: [{ value: '1' }] } }),
    catalogs: [installable(['AllNamespaces'])],
    says: [
      'warning: error for resolved bundle "queue.v1.0.0" with version "1.0.0": invalid ClusterExtension configuration: invalid configuration: validation failed',
    ],
  },
  {
    when: 'the bundle has a dependency',
    object: extension({ packageName: 'tidy' }),
    catalogs,
    says: ['warning: validating bundle "tidy.v1.0.0": bundle "tidy.v1.0.0" has a dependency'],
  },
  {
    when: 'the cluster gives one of them priority',
    object: extension(),
    catalogs: two,
    cluster: [makeObject('ClusterCatalog', 'b', '', { spec: { priority: 1 } })],
    says: [],
  },
  {
    when: 'labels of the cluster’s catalogs choose one',
    object: extension({ selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }),
    catalogs: two,
    cluster: [
      { kind: 'ClusterCatalog', metadata: { name: 'a', labels: { tier: 'gold' } } },
      { kind: 'ClusterCatalog', metadata: { name: 'b' } },
    ],
    says: [],
  },
  {
    when: 'its bundle is for single namespaces only',
    object: extension(),
    catalogs: [installable(['OwnNamespace'])],
    says: [
      'warning: error for resolved bundle "queue.v1.0.0" with version "1.0.0": unsupported bundle: bundle does not support AllNamespaces install mode',
    ],
  },
  {
    when: 'it is installed already',
    object: extension({}, '1.0.0'),
    catalogs: [installable(['OwnNamespace'])],
    says: [],
  },
  {
    when: 'its bundle owns an APIService',
    object: extension(),
    catalogs: [installable(['AllNamespaces'], [{ name: 'v1.pets.io' }])],
    says: [/unsupported bundle: apiServiceDefintions are not supported$/],
  },
  {
    when: 'the configuration names another namespace than its own',
    object: configured({ watchNamespace: 'elsewhere' }),
    catalogs: [installable(['OwnNamespace'])],
    says: [/invalid ClusterExtension configuration: .*must be "ns" \(the namespace where/],
  },
  {
    when: 'the configuration is as the bundle has it',
    object: configured({ watchNamespace: 'ns' }),
    catalogs: [installable(['OwnNamespace'])],
    says: [],
  },
  { when: 'one has it', object: extension(), catalogs, says: [] },
]);

describe('a deploymentConfig that OLM v1 refuses without a place', () => {
  const rows: [wrong: JsonObject, place: string][] = [
    [{ env: [{ value: '1' }] }, 'required field "deploymentConfig.env.0.name" is missing'],
    [
      { env: [{ name: 'A', valueFrom: { secretKeyRef: {} } }] },
      'required field "deploymentConfig.env.0.valueFrom.secretKeyRef.key" is missing',
    ],
    [
      { resources: { limits: { cpu: true } } },
      'invalid type for field "deploymentConfig.resources.limits.cpu": got boolean, want string or number',
    ],
    [
      { tolerations: [{ effect: 7 }] },
      'invalid type for field "deploymentConfig.tolerations.0.effect": got number, want string',
    ],
    [
      // Inside, fields that it does not know are taken, whatever JavaScript knows by their names.
      { constructor: 1, env: [{ toString: 1 }] },
      'required field "deploymentConfig.env.0.name" is missing',
    ],
  ];
  for (const [deploymentConfig, place] of rows) {
    it(`names it: ${place}`, () => {
      const object = configured({ deploymentConfig });
      const context = contextOf({ object, catalogs: [installable(['AllNamespaces'])] });
      const [finding] = clusterExtensionUnresolvable.judge(context);
      expect(finding?.fix).to.equal(`Correct spec.config.inline: ${place}`);
    });
  }
});
