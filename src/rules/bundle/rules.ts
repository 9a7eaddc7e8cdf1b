/** The rules about a bundle as a whole; those about its dependencies are the resolver's lints. */
import type { ExplainedRule } from '../../finding.js';

export const bundleRules = {
  parts: {
    name: 'BundlePartMissing',
    family: 'catalogs',
    severity: 'error',
    explain:
      'A bundle has one ClusterServiceVersion and metadata/annotations.yaml with the media type, the folders and the package. opm refuses to add a bundle without them to a catalog.',
  },
  version: {
    name: 'BundleVersion',
    family: 'catalogs',
    severity: 'error',
    explain:
      'spec.version of the ClusterServiceVersion must be a semantic version: ranges, skipRange and the update graph compare it.',
  },
  defaultChannel: {
    name: 'BundleChannels',
    family: 'catalogs',
    severity: 'warning',
    explain:
      'annotations.yaml names the channels a bundle belongs to and which of them is the default. A default that is no channel of the package is refused when the catalog is built.',
  },
  ownedCrds: {
    name: 'OwnedCrdMissing',
    family: 'crd-upgrade-safety',
    severity: 'error',
    explain:
      'A ClusterServiceVersion owns CustomResourceDefinitions by name and version. One that the bundle does not bring, or whose version is not in it, leaves the installed operator in phase Pending with RequirementsNotMet.',
  },
  foreignCrds: {
    name: 'CrdWithoutOwner',
    family: 'crd-upgrade-safety',
    severity: 'error',
    explain:
      'Every CustomResourceDefinition of a bundle must be owned by its ClusterServiceVersion. opm refuses the bundle otherwise.',
  },
  installModes: {
    name: 'BundleInstallModes',
    family: 'operator-groups',
    severity: 'error',
    explain:
      'Without a supported install mode, or with a type listed twice, OLM fails the ClusterServiceVersion in every OperatorGroup.',
  },
  installModesOmitted: {
    name: 'InstallModeOmitted',
    family: 'operator-groups',
    severity: 'warning',
    explain:
      'An install mode that is not listed is unsupported. OLM infers nothing from the others, whatever OpenShift’s documentation says.',
  },
  unreadableDependency: {
    name: 'UnreadableDependency',
    family: 'resolution',
    severity: 'error',
    explain:
      'OLM cannot read the dependency: it drops the bundle, or stops the resolution of every namespace that can reach it.',
  },
  notReplaced: {
    name: 'DoesNotReplace',
    family: 'catalogs',
    severity: 'warning',
    explain:
      'The new ClusterServiceVersion neither replaces nor skips the old one, and its skipRange does not cover it. Unless the channel in the catalog says so, nobody is upgraded.',
  },
  notNewer: {
    name: 'VersionNotHigher',
    family: 'catalogs',
    severity: 'warning',
    explain:
      'A bundle that replaces another should have a higher version. OLM v1 orders bundles by version, and a range then means something else than the graph.',
  },
  crdDropped: {
    name: 'OwnedCrdDropped',
    family: 'crd-upgrade-safety',
    severity: 'warning',
    explain:
      'The old bundle owned the CustomResourceDefinition and the new one does not. It stays on the cluster with its objects, and no operator looks after them.',
  },
  installModeDropped: {
    name: 'InstallModeDropped',
    family: 'operator-groups',
    severity: 'warning',
    explain:
      'The old bundle supported the install mode and the new one does not. In every namespace whose OperatorGroup needs it the upgrade ends in UnsupportedOperatorGroup.',
  },
  crdUnjudged: {
    name: 'CrdNotJudged',
    family: 'crd-upgrade-safety',
    severity: 'warning',
    explain: 'The two definitions could not be compared; the message says why.',
  },
} as const satisfies Record<string, ExplainedRule>;
