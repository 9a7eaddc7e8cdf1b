export { CatalogBuilder, type LoadOptions, ofNoSchema } from './catalogs/builder.js';
export { bundleCrds } from './catalogs/properties.js';
export { type Catalog, countObjects } from './catalogs/catalog.js';
export { resolveImageTemplate } from './catalogs/image-template.js';
export { addFile, byWalk, isIgnoreFile, loadCatalog, type LoadedCatalog } from './catalogs/load.js';
export { supportOf, supportText } from './catalogs/lifecycle.js';
export { type Meta, readMeta } from './catalogs/blob-schema.js';
export { isPackageManifest, readPackageManifests } from './catalogs/package-manifests.js';
export {
  deprecationsOf,
  type EntryDetails,
  listCatalog,
  type PackageDetails,
  type PackageSummary,
  showPackage,
} from './catalogs/summary.js';
export { classicLimit, isBelowNextMinor } from './catalogs/upgrades/open-shift-limit.js';
export {
  classicPath,
  type ClassicRequest,
  type VersionedEntry,
} from './catalogs/upgrades/classic-path.js';
export { clusterCompatibility, limitErrorText } from './catalogs/upgrades/open-shift-limit.js';
export { edgeWords } from './catalogs/upgrades/upgrade-path.js';
export {
  type ExplainedPath,
  explainPaths,
  type PathAnswer,
} from './catalogs/upgrades/explain-paths.js';
export { packageOf } from './catalogs/upgrades/upgrade-path.js';
export { updateDeadEnd } from './catalogs/upgrades/explain-paths.js';
export { requirementSentences } from './catalogs/requirements.js';
export type { GraphEdge } from './catalogs/upgrades/graph-edges.js';
export {
  type GraphChannel,
  type GraphNode,
  packageGraph,
  type PackageGraph,
} from './catalogs/upgrades/graph.js';
export {
  type InstalledBundle,
  type PackageInCatalog,
  ResolutionError,
} from './catalogs/upgrades/upgrade-path.js';
export { type Candidate, resolveV1, type V1Resolution } from './catalogs/upgrades/resolve-v1.js';
export type { Step } from './catalogs/upgrades/upgrade-path.js';
export { catalogHeads, validateCatalog } from './catalogs/validate.js';
export type { TreeNode } from './catalogs/validate.js';
export {
  consumerName,
  consumerOf,
  neededDefinition,
  type NeededDefinition,
} from './objects/consumers.js';
export {
  type CatalogSource,
  connectionText,
  isHealthy,
  readCatalogSource,
} from './objects/classic-objects.js';
export { type ClusterExtension, readClusterExtension } from './objects/cluster-extension.js';
export { selectCatalogs, termsOf } from './objects/extension-outcome.js';
export {
  limitIn,
  limitSentence,
  openShiftVersion,
} from './rules/objects/cluster-version/cluster-update-blocked.js';
export { type Csv, isLeaving, readCsv } from './objects/classic-objects.js';
export { foreignOwners, isOwnerOfOlm, ownedInUse } from './rules/cluster/latent-risks.js';
export { DelegatedView, type ListedKind } from './objects/view.js';
export { IndexedView } from './objects/indexed-view.js';
export { isApproved, manifestFrom } from './objects/install-plan.js';
export { guessPlural } from './objects/kubernetes-apis.js';
export { readLabelSelector } from './objects/classic-objects.js';
export { namespaceState, packagesOf } from './objects/namespace-state.js';
export { readOperatorGroup } from './objects/classic-objects.js';
export { rukpakAnnotation } from './objects/cluster-extension.js';
export { readSubscription, type Subscription } from './objects/classic-objects.js';
export type { WantedManifest } from './objects/view.js';
export {
  type ConsumerIndex,
  type FoundManifest,
  type KnownCatalog,
  type LookedUpKind,
  lookedUpKinds,
  type NamespacedName,
  type OlmView,
} from './objects/view.js';
export { oncePer } from './once.js';
export { type ApiRole, apiRoles, documentedApiRoles } from './operator-groups/group-roles.js';
export type { Api } from './resolver/predicate.js';
export { describeClash } from './operator-groups/intersection.js';
export { type Copy, judgeCopies, lastApplied } from './operator-groups/copied-csvs.js';
export { documentedGroupRoles, type GroupRole, groupRoles } from './operator-groups/group-roles.js';
export { readRoleName, type RoleName } from './operator-groups/group-roles.js';
export { type GroupSync, syncGroup } from './operator-groups/group-sync.js';
export { checkInstallModes } from './operator-groups/objects.js';
export { decideIntersection, type IntersectionDecision } from './operator-groups/intersection.js';
export { judgeMembership, type Membership } from './operator-groups/membership.js';
export {
  copiedFromLabel,
  isCopied,
  isMarkedAsCopy,
  type OperatorGroup,
  settled,
} from './operator-groups/objects.js';
export { grantPermissions, type OwnedRole } from './operator-groups/operator-permissions.js';
export { recoveryOf } from './operator-groups/membership.js';
export { type GroupState, surfaceTargets } from './operator-groups/surface.js';
export {
  type Namespace,
  selectTargets,
  targetNamespacesAnnotation,
} from './operator-groups/surface.js';
export type { Semantics } from './resolver/constraint.js';
export { explain, type Explanation } from './resolver/explain.js';
export { catalogState } from './resolver/namespace.js';
export type { CatalogState, NamespaceState, SubscriptionState } from './resolver/namespace.js';
export { loadCatalogs, type LoadedCatalogs, type Outcome, resolve } from './resolver/resolve.js';
export { type Bundle, readBundle } from './rules/bundle/bundle.js';
export { type BundleProfile, proofSentence } from './rules/bundle/crd-checks.js';
export { type BundleCheck, type BundleCheckOptions, checkBundle } from './rules/bundle/index.js';
export { diffCatalogs, type PackageDiff } from './rules/catalog-diff/catalog-diff.js';
export { BreakingUpdates, type CrdQuestion } from './rules/catalog-diff/crd-edges.js';
export { crdVerdict } from './rules/catalog-diff/crd-verdict.js';
export { catalogFindings } from './rules/catalog/findings.js';
export { bypassInForce } from './rules/cluster/latent-risks.js';
export {
  deletionPending,
  foreignFinalizers,
  formatFinalizers,
} from './rules/cluster/latent-risks.js';
export type { ScanContext } from './rules/cluster/rule.js';
export { scanRules } from './rules/cluster/table.js';
export { clusterExtensionResolution } from './rules/objects/cluster-extension/extension-path.js';
export { interOperatorGroupOwnerConflict } from './rules/objects/cluster-service-version/group-membership.js';
export { ownerConflict } from './rules/objects/cluster-service-version/other-operators.js';
export { installPlanUnchecked } from './rules/objects/install-plan/install-plan-rules.js';
export { multipleOperatorGroups } from './rules/objects/operator-group/group-failures.js';
export { operatorGroupIntersection } from './rules/objects/operator-group/group-failures.js';
export { targetNamespaceMissing } from './rules/objects/operator-group/group-spec.js';
export {
  type OlmKind,
  type OlmRule,
  type RequestOperation,
  RuleContext,
} from './rules/objects/rule.js';
export { escalateForSharedOwners, escalateShared, isShared } from './rules/objects/definitions.js';
export { catalogSourceMissing } from './rules/objects/subscription/subscription-namespace.js';
export { duplicateSubscription } from './rules/objects/subscription/subscription-namespace.js';
export { subscriptionChannel } from './rules/objects/subscription/subscription-package.js';
export { installFailures } from './rules/objects/subscription/subscription-install-fails.js';
export { subscriptionPackage } from './rules/objects/subscription/subscription-package.js';
export { subscriptionStartingCsv } from './rules/objects/subscription/subscription-package.js';
export { olmRules } from './rules/objects/table.js';
export { findingsOf } from './rules/resolution/findings.js';
export { rulesOfOlm } from './rules/tables.js';
