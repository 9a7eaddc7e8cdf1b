import { csvAnnotationRules } from './csv-annotations.js';
import {
  bundleServiceAccount,
  deploymentServiceAccount,
  removedApi,
  unservedDefinition,
} from './manifest-checks.js';
import { refusedByOlmV1, unsupportedByOlmV1 } from './olm-v1-refusal.js';
import { dependenciesMetApart } from './lints.js';
import { defineRule, from, type Rule, type RuleDescription, sources } from '../../../rule/index.js';
import {
  documents,
  exampleAnnotations,
  exampleCrd,
  exampleCsv,
  nextCsv,
  ownsCats,
} from './example-bundle.js';

const ofBundles = { subject: 'bundle' } as const;

function bundleRule<const Description extends Omit<RuleDescription, 'subject'>>(
  description: Description,
): Rule<Description & typeof ofBundles> {
  return defineRule({ ...description, ...ofBundles });
}

const validate = 'pkg/lib/bundle/validate.go';

export const bundleRules = {
  parts: bundleRule({
    id: 'BundlePartMissing',
    family: 'catalogs',
    severity: 'error',
    checks:
      'A bundle has one ClusterServiceVersion and metadata/annotations.yaml with the media type, the folders and the package.',
    why: 'opm refuses to add a bundle without them to a catalog.',
    instead: 'Generate the metadata with operator-sdk generate bundle, or write what is missing.',
    source: sources(
      from.operatorRegistry(validate, 'ValidateBundleFormat', 'validateAnnotations'),
      from.openShift('Operator Framework packaging format'),
    ),
    messages: {
      csv: 'the bundle has no ClusterServiceVersion',
      name: 'the ClusterServiceVersion has no metadata.name',
      annotations: 'the bundle has no metadata/annotations.yaml',
      annotation: 'annotation {annotation} is missing',
      mediaType: 'the media type is "{mediaType}"; OLM installs registry+v1',
    },
    example: {
      after: exampleCsv(),
      says: 'the bundle has no metadata/annotations.yaml',
      accepted: documents(exampleCsv(), exampleAnnotations()),
    },
  }),
  version: bundleRule({
    id: 'BundleVersion',
    family: 'catalogs',
    severity: 'error',
    checks: 'spec.version of the ClusterServiceVersion is a semantic version.',
    why: 'Ranges, skipRange and the update graph compare it.',
    instead: 'Write all three numbers, such as 1.2.3.',
    source: sources(
      from.olmApi('pkg/validation/internal/csv.go', 'validateCSV'),
      from.operatorRegistry('alpha/model/model.go', 'Validate'),
    ),
    messages: {
      missing:
        'ClusterServiceVersion {csv} has no spec.version, so that no range and no skipRange can mean it',
      invalid: 'spec.version "{version}" is no semantic version such as 1.2.3',
    },
    example: {
      after: exampleCsv({ version: "'1.0'" }),
      says: 'spec.version "1.0" is no semantic version',
      accepted: exampleCsv(),
    },
  }),
  defaultChannel: bundleRule({
    id: 'BundleChannels',
    family: 'catalogs',
    severity: 'warning',
    checks:
      'annotations.yaml names the channels a bundle belongs to, and the default channel is one of them.',
    why: 'opm refuses to build a catalog whose default channel is not a channel of the package.',
    instead: 'Name the channels, and as default one of them or one that another bundle has.',
    source: sources(
      from.operatorRegistry(validate, 'validateAnnotations'),
      from.openShift('Operator Framework packaging format'),
    ),
    messages: {
      none: 'the bundle names no channel',
      defaultElsewhere:
        'the default channel {channel} is not among the channels of this bundle ({channels}); another bundle must have it',
    },
    example: {
      after: exampleAnnotations('slow'),
      says: 'the default channel slow is not among the channels of this bundle',
      accepted: exampleAnnotations(),
    },
  }),
  ownedCrds: bundleRule({
    id: 'OwnedCrdMissing',
    family: 'crd-upgrade-safety',
    severity: 'error',
    awaitsProof: false,
    checks:
      'The bundle brings every CustomResourceDefinition, with the kind and the version, that its ClusterServiceVersion owns.',
    why: 'The installed operator stays in phase Pending with RequirementsNotMet otherwise.',
    instead: 'Add the definition, or remove it from customresourcedefinitions.owned.',
    source: from.olmApi('pkg/validation/internal/bundle.go', 'validateOwnedCRDs'),
    messages: {
      definition:
        '{csv} owns CustomResourceDefinition {definition}, which the bundle does not bring',
      version: '{csv} owns version {version} of {definition}, which has only {versions}',
      kind: '{csv} owns kind {kind} of {definition}, which defines kind {defined}',
    },
    example: {
      after: exampleCsv({ owned: ownsCats }),
      says: 'cats.v1.0.0 owns CustomResourceDefinition cats.example.com, which the bundle does not bring',
      accepted: documents(exampleCsv({ owned: ownsCats }), exampleCrd()),
    },
  }),
  foreignCrds: bundleRule({
    id: 'CrdWithoutOwner',
    family: 'crd-upgrade-safety',
    severity: 'error',
    awaitsProof: false,
    checks: 'Every CustomResourceDefinition of a bundle is owned by its ClusterServiceVersion.',
    why: 'opm refuses the bundle otherwise.',
    instead:
      'Add it to customresourcedefinitions.owned, or ship it with the operator that owns it.',
    source: from.olmApi('pkg/validation/internal/bundle.go', 'validateOwnedCRDs'),
    messages: {
      unowned: 'the bundle brings CustomResourceDefinition {definition}, which {csv} does not own',
    },
    example: {
      after: documents(exampleCsv(), exampleCrd()),
      says: 'the bundle brings CustomResourceDefinition cats.example.com, which cats.v1.0.0 does not own',
      accepted: documents(exampleCsv({ owned: ownsCats }), exampleCrd()),
    },
  }),
  installModes: bundleRule({
    id: 'BundleInstallModes',
    family: 'operator-groups',
    severity: 'error',
    checks: 'The ClusterServiceVersion supports an install mode, and lists each type once.',
    why: 'OLM fails the ClusterServiceVersion in every OperatorGroup otherwise.',
    instead: 'List each of the four types once, and support at least one.',
    source: sources(
      from.olmApi('pkg/validation/internal/csv.go', 'validateInstallModes'),
      from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'NewInstallModeSet'),
    ),
    messages: {
      none: 'no install mode is supported, so the operator can be installed in no OperatorGroup',
      refused: '{refusal}',
      unknown: '"{type}" is no install mode; there are {modes}',
    },
    example: {
      after: exampleCsv({ installModes: '{ type: AllNamespaces, supported: false }' }),
      says: 'no install mode is supported',
      accepted: exampleCsv({ installModes: '{ type: AllNamespaces, supported: true }' }),
    },
  }),
  installModesOmitted: bundleRule({
    id: 'InstallModeOmitted',
    family: 'operator-groups',
    severity: 'warning',
    checks: 'The ClusterServiceVersion lists all four install modes.',
    why: 'A mode that is not listed is unsupported. OLM infers nothing from the others, whatever OpenShift’s documentation says.',
    instead: 'List every mode with supported: true or false.',
    source: from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'Supports'),
    messages: {
      one: '{modes} is not listed and therefore unsupported; OLM infers nothing from the other modes',
      several:
        '{modes} are not listed and therefore unsupported; OLM infers nothing from the other modes',
    },
    example: {
      after: exampleCsv({ installModes: '{ type: AllNamespaces, supported: true }' }),
      says: 'OwnNamespace, SingleNamespace, MultiNamespace are not listed and therefore unsupported',
      accepted: exampleCsv(),
    },
  }),
  unreadableDependency: bundleRule({
    id: 'UnreadableDependency',
    family: 'resolution',
    severity: 'error',
    checks: 'OLM can read every dependency and property of a bundle.',
    why: 'It drops the bundle otherwise, or stops the resolution of every namespace that can reach it.',
    instead:
      'Write type and value as documented: olm.package with packageName and version, olm.gvk with group, version and kind.',
    source: sources(
      from.operatorRegistry(validate, 'validateDependencies'),
      from.openShift('Operator Lifecycle Manager dependency resolution'),
    ),
    messages: {
      untyped: 'the {kind} is no entry with a type and a value',
      unreadable: '{problem}',
    },
    example: {
      after: 'dependencies: [{ type: olm.package, value: { packageName: dogs, version: latest } }]',
      says: 'latest',
      accepted:
        "dependencies: [{ type: olm.package, value: { packageName: dogs, version: '>=1.0.0' } }]",
    },
  }),
  notReplaced: bundleRule({
    id: 'DoesNotReplace',
    family: 'catalogs',
    severity: 'warning',
    checks:
      'The new ClusterServiceVersion replaces or skips the old one, or its skipRange covers it.',
    why: 'Unless the channel in the catalog says so, nobody is upgraded.',
    instead:
      'Set spec.replaces to the old name, or write the edge into the channel of the catalog.',
    source: from.olmPages('Creating an Update Graph'),
    messages: {
      sameName: 'both bundles are called {csv}; OLM upgrades only to another ClusterServiceVersion',
      unrelated:
        '{csv} does not replace or skip {old} ({instead}); unless a channel of the catalog does, nobody is upgraded',
    },
    example: {
      before: exampleCsv(),
      after: exampleCsv({ name: 'cats.v1.1.0', version: '1.1.0' }),
      says: 'cats.v1.1.0 does not replace or skip cats.v1.0.0',
      accepted: nextCsv(),
    },
  }),
  notNewer: bundleRule({
    id: 'VersionNotHigher',
    family: 'catalogs',
    severity: 'warning',
    checks: 'A bundle that replaces another has a higher version.',
    why: 'OLM v1 orders bundles by version, and a range then means something else than the graph.',
    instead: 'Raise spec.version.',
    source: sources(from.olmPages('Creating an Update Graph'), from.openShift('Update paths')),
    messages: { lower: 'version {version} is not higher than {oldVersion} of {old}' },
    example: {
      before: exampleCsv(),
      after: exampleCsv({ name: 'cats.v0.9.0', version: '0.9.0', more: 'replaces: cats.v1.0.0,' }),
      says: 'version 0.9.0 is not higher than 1.0.0 of cats.v1.0.0',
      accepted: nextCsv(),
    },
  }),
  crdDropped: bundleRule({
    id: 'OwnedCrdDropped',
    family: 'crd-upgrade-safety',
    severity: 'error',
    awaitsProof: false,
    checks: 'The new bundle owns every CustomResourceDefinition that the old one owned.',
    why: 'One that it does not own stays on the cluster with its objects, and no operator looks after them.',
    instead: 'Keep the definition until its objects are gone, and say so in the release notes.',
    source: from.olm('pkg/controller/operators/catalog/operator.go', 'ExecutePlan'),
    messages: {
      dropped:
        '{old} owned CustomResourceDefinition {definition} and {csv} does not: it stays on the cluster with its objects, and no operator looks after them',
    },
    example: {
      before: documents(exampleCsv({ owned: ownsCats }), exampleCrd()),
      after: nextCsv(),
      says: 'cats.v1.0.0 owned CustomResourceDefinition cats.example.com and cats.v1.1.0 does not',
      accepted: documents(nextCsv({ owned: ownsCats }), exampleCrd()),
    },
  }),
  installModeDropped: bundleRule({
    id: 'InstallModeDropped',
    family: 'operator-groups',
    severity: 'warning',
    checks: 'The new bundle supports every install mode that the old one supported.',
    why: 'In every namespace whose OperatorGroup needs the mode, the upgrade ends in UnsupportedOperatorGroup.',
    instead: 'Keep the mode, or announce that these OperatorGroups must change first.',
    source: from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    messages: {
      dropped:
        '{old} supported {mode} and {csv} does not: in OperatorGroups that need it the upgrade ends in UnsupportedOperatorGroup',
    },
    example: {
      before: exampleCsv(),
      after: nextCsv({ installModes: '{ type: AllNamespaces, supported: true }' }),
      says: 'cats.v1.0.0 supported OwnNamespace and cats.v1.1.0 does not',
      accepted: nextCsv(),
    },
  }),
  crdUnjudged: bundleRule({
    id: 'CrdNotJudged',
    family: 'crd-upgrade-safety',
    severity: 'warning',
    checks: 'The definitions of the old and the new bundle can be compared.',
    why: 'What could not be compared was not checked; the message says why.',
    instead: 'Correct the definition where the message says.',
    source: from.us('docs/decisions/proof.md'),
    messages: { unjudged: 'the upgrade of {definition} cannot be judged: {problem}' },
    example: {
      before: exampleCrd(),
      after: exampleCrd(
        '{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, maxProperties: many } } }',
      ),
      says: 'the upgrade of cats.example.com cannot be judged',
      accepted: exampleCrd(),
    },
  }),
  ...csvAnnotationRules,
  serviceAccount: bundleServiceAccount,
  deploymentServiceAccount,
  metApart: dependenciesMetApart,
  removedApi,
  unservedDefinition,
  refusedByOlmV1,
  unsupportedByOlmV1,
};
