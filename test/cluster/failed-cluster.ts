/** A cluster in which everything has failed, as OLM's controllers write it down. */
import type { JsonObject } from '../../src/text/documents/index.js';

const since = '2026-01-01T00:00:00Z';

function condition(type: string, status: string, reason: string, message: string): JsonObject {
  return { type, status, reason, message, lastTransitionTime: since };
}

function object(
  kind: string,
  metadata: JsonObject,
  status: JsonObject,
  spec: JsonObject = {},
): JsonObject {
  return { kind, metadata, spec, status };
}

const v1 = (kind: string, name: string, conditions: JsonObject[], spec?: JsonObject): JsonObject =>
  object(kind, { name }, { conditions }, spec);

/** Each with its rule, and with what a scan says of it after the time. */
export const failedCluster: readonly {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly object: JsonObject;
  readonly says: RegExp;
}[] = [
  {
    rule: 'OperatorFailing',
    severity: 'error',
    object: object(
      'ClusterServiceVersion',
      { name: 'cats.v1', namespace: 'pets' },
      {
        phase: 'Failed',
        reason: 'InstallCheckFailed',
        message: 'install timeout',
        lastTransitionTime: since,
      },
      { installModes: [{ type: 'AllNamespaces', supported: true }] },
    ),
    says: /^phase is Failed with reason InstallCheckFailed, for \d+ days \(since 2026-01-01T00:00:00Z\): install timeout; installed for Subscription pets\/cats$/,
  },
  {
    rule: 'OperatorFailing',
    severity: 'error',
    object: object(
      'ClusterServiceVersion',
      { name: 'dogs.v1', namespace: 'pets' },
      {
        phase: 'Pending',
        reason: 'RequirementsNotMet',
        message: "one or more requirements couldn't be found",
        lastTransitionTime: since,
      },
    ),
    says: /^phase is Pending with reason RequirementsNotMet, for .*: one or more requirements couldn't be found$/,
  },
  {
    rule: 'InstallPlanFailed',
    severity: 'error',
    object: object(
      'InstallPlan',
      { name: 'install-abcde', namespace: 'pets' },
      {
        phase: 'Failed',
        conditions: [
          condition('Installed', 'False', 'InstallComponentFailed', 'risk of data loss updating x'),
        ],
      },
      { approved: true, generation: 1, clusterServiceVersionNames: ['cats.v2'] },
    ),
    says: /^failed with reason InstallComponentFailed, for .*: risk of data loss updating x; it was to install cats\.v2$/,
  },
  {
    rule: 'SubscriptionFailing',
    severity: 'error',
    object: object(
      'Subscription',
      { name: 'cats', namespace: 'pets' },
      {
        installedCSV: 'cats.v1',
        currentCSV: 'cats.v1',
        conditions: [
          condition(
            ...(['ResolutionFailed', 'True'] as const),
            ...(['ConstraintsNotSatisfiable', 'constraints not satisfiable: cats'] as const),
          ),
        ],
      },
      { name: 'cats', source: 'community', sourceNamespace: 'olm' },
    ),
    says: /^ResolutionFailed is True with reason ConstraintsNotSatisfiable, for .*: constraints not satisfiable: cats; cats\.v1 stays installed$/,
  },
  {
    rule: 'SubscriptionFailing',
    severity: 'error',
    object: object(
      'Subscription',
      { name: 'birds', namespace: 'pets' },
      {
        conditions: [
          condition('BundleUnpackFailed', 'True', 'BundleUnpackFailed', 'Job has no pods'),
        ],
      },
      { name: 'birds', source: 'community', sourceNamespace: 'olm' },
    ),
    says: /^BundleUnpackFailed is True with reason BundleUnpackFailed, for .*: Job has no pods; nothing is installed$/,
  },
  {
    rule: 'SubscriptionFailing',
    severity: 'error',
    object: object(
      'Subscription',
      { name: 'fish', namespace: 'pets' },
      {
        conditions: [
          condition(
            ...(['CatalogSourcesUnhealthy', 'True'] as const),
            ...(['UnhealthyCatalogSourceFound', 'targeted catalogsource unhealthy'] as const),
          ),
        ],
      },
      { name: 'fish', source: 'community', sourceNamespace: 'olm' },
    ),
    says: /^CatalogSourcesUnhealthy is True with reason UnhealthyCatalogSourceFound/,
  },
  {
    rule: 'OperatorNotUpgradeable',
    severity: 'warning',
    object: object(
      'OperatorCondition',
      { name: 'cats.v1', namespace: 'pets', generation: 1 },
      {
        conditions: [
          {
            ...condition('Upgradeable', 'False', 'Migrating', 'migrating'),
            observedGeneration: 1,
          },
        ],
      },
    ),
    says: /^the next version will wait: the operator is not upgradeable: migrating$/,
  },
  {
    rule: 'ExtensionFailing',
    severity: 'error',
    object: v1('ClusterExtension', 'refused', [
      condition(
        ...(['Progressing', 'True', 'Retrying'] as const),
        'error for resolved bundle "x" with version "2.0.0": validating upgrade for CRD "x.example.com": …',
      ),
      condition('Installed', 'False', 'Failed', 'No bundle installed'),
    ]),
    says: /^Progressing is True with reason Retrying, for .*: error for resolved bundle "x" .*; nothing is installed$/,
  },
  {
    rule: 'ExtensionFailing',
    severity: 'error',
    object: v1('ClusterExtension', 'misconfigured', [
      condition('Progressing', 'False', 'InvalidConfiguration', 'unknown field "x"'),
    ]),
    says: /^Progressing is False with reason InvalidConfiguration/,
  },
  {
    rule: 'ExtensionFailing',
    severity: 'error',
    object: object(
      'ClusterExtension',
      { name: 'overtaken' },
      {
        conditions: [
          condition('Progressing', 'True', 'RollingOut', 'Revision 3.0.0 is rolling out.'),
        ],
        activeRevisions: [
          { name: 'overtaken-1' },
          {
            name: 'overtaken-2',
            conditions: [
              condition('Progressing', 'False', 'Blocked', 'number of phases has changed'),
              condition('Available', 'False', 'RollingOut', 'Revision 2.0.0 is rolling out.'),
            ],
          },
          {
            name: 'overtaken-3',
            conditions: [
              condition('Progressing', 'True', 'RollingOut', 'Revision 3.0.0 is rolling out.'),
            ],
          },
        ],
      },
    ),
    says: /^its active revision overtaken-2: Progressing is False with reason Blocked, for .*: number of phases has changed$/,
  },
  {
    rule: 'ExtensionFailing',
    severity: 'warning',
    object: v1('ClusterExtension', 'old', [
      condition('Progressing', 'True', 'Succeeded', 'Desired state reached'),
      condition('Installed', 'True', 'Succeeded', 'Installed bundle x successfully'),
      condition('Deprecated', 'True', 'Deprecated', 'use queue instead'),
    ]),
    says: /^Deprecated is True with reason Deprecated, for .*: use queue instead$/,
  },
  {
    rule: 'ClusterCatalogFailing',
    severity: 'error',
    object: v1('ClusterCatalog', 'broken', [
      condition('Serving', 'False', 'Unavailable', ''),
      condition('Progressing', 'True', 'Retrying', 'source catalog content: unauthorized'),
    ]),
    says: /^it is not served: Progressing is True with reason Retrying, for .*: source catalog content: unauthorized$/,
  },
  {
    rule: 'ClusterCatalogFailing',
    severity: 'warning',
    object: v1('ClusterCatalog', 'stale', [
      condition('Serving', 'True', 'Available', ''),
      condition('Progressing', 'False', 'Blocked', 'invalid image'),
    ]),
    says: /^its old content is served: Progressing is False with reason Blocked/,
  },
  {
    rule: 'ClusterCatalogFailing',
    severity: 'info',
    object: v1('ClusterCatalog', 'off', [
      condition(
        ...(['Serving', 'False', 'UserSpecifiedUnavailable'] as const),
        'Catalog availability mode is set to Unavailable',
      ),
    ]),
    says: /^Serving is False with reason UserSpecifiedUnavailable/,
  },
  {
    rule: 'RevisionFailing',
    severity: 'error',
    object: object(
      'ClusterObjectSet',
      { name: 'queue-2', labels: { 'olm.operatorframework.io/owner-name': 'queue' } },
      {
        conditions: [
          condition(
            ...(['Progressing', 'False', 'ProgressDeadlineExceeded'] as const),
            'Revision has not rolled out for 10 minute(s).',
          ),
        ],
      },
      { lifecycleState: 'Active', revision: 2 },
    ),
    says: /^Progressing is False with reason ProgressDeadlineExceeded, for .*; it belongs to ClusterExtension queue$/,
  },
];

/** It has ten minutes from its creation. */
export const slowRevision = 'slow-2';

/** What OLM is still busy with, or has left behind: a scan is silent about it. */
export function busyCluster(now: Date): readonly JsonObject[] {
  const fresh = (one: JsonObject): JsonObject => ({
    ...one,
    lastTransitionTime: now.toISOString(),
  });
  return [
    object(
      'ClusterServiceVersion',
      { name: 'new.v1', namespace: 'busy' },
      fresh({ phase: 'Installing', reason: 'InstallWaiting' }),
    ),
    v1('ClusterExtension', 'new', [
      fresh(condition('Progressing', 'True', 'Retrying', 'cache for catalog "x" not found')),
    ]),
    v1('ClusterCatalog', 'new', [
      fresh(condition('Progressing', 'True', 'Retrying', 'source catalog content: timeout')),
      condition('Serving', 'False', 'Unavailable', ''),
    ]),
    v1(
      'ClusterObjectSet',
      'queue-1',
      [condition('Progressing', 'False', 'Archived', 'revision is archived')],
      { lifecycleState: 'Archived', revision: 1 },
    ),
    v1(
      'ClusterObjectSet',
      slowRevision,
      [fresh(condition('Progressing', 'True', 'RollingOut', 'Revision 2.0.0 is rolling out.'))],
      { lifecycleState: 'Active', revision: 2, progressDeadlineMinutes: 10 },
    ),
    object('InstallPlan', { name: 'a', namespace: 'busy' }, { phase: 'Failed' }, { generation: 1 }),
    object(
      'InstallPlan',
      { name: 'b', namespace: 'busy' },
      { phase: 'Complete' },
      { generation: 2 },
    ),
  ];
}
