/**
 * What each command prints with `-o json`, a type a command: schemas/ is made of these types and of
 * what they name, and every test that runs a command with `-o json` holds it to its schema.
 */
import type { GroupEffects } from '../src/cli/check/group-effects.js';
import type { ResolveAnswer } from '../src/cli/resolve/resolve-answer.js';
import type { Observation } from '../src/cli/serve/observation.js';
import type { MigrationPlan } from '../src/cluster/migration/plan.js';
import type { MigrationResult } from '../src/cluster/migration/run.js';
import type { Verification } from '../src/cluster/migration/verify.js';
import type { Coverage } from '../src/gate/policy-sync/coverage.js';
import type { SkippedKind } from '../src/report/check-report.js';
import type { UpgradePlan } from '../src/report/upgrade-plan/plan.js';
import type { PackageDetails, PackageSummary } from '../src/olm/catalogs/summary.js';
import type { PathAnswer } from '../src/olm/catalogs/upgrades/explain-paths.js';
import type { PackageGraph as Graph } from '../src/olm/catalogs/upgrades/graph.js';
import type { PackageDiff } from '../src/olm/rules/catalog-diff/catalog-diff.js';
import type { ObjectPlace } from '../src/olm/catalogs/catalog.js';
import type { Effect, Finding, Verdict } from '../src/rule/finding.js';
import type { InputErrorCode, Place } from '../src/text/documents/error.js';
import type { RangeExplanation } from '../src/text/versions/explain.js';
import type { RoundTripResult } from '../src/cluster/conversion/round-trip.js';
import type { HarmedObject, StoredTally } from '../src/upgrade/crd/stored/judge.js';
import type { Judgement } from '../src/upgrade/judge/judge.js';
import type { ProofResult } from '../src/upgrade/proof/result.js';
import type { Rollback as JudgedRollback } from '../src/upgrade/rules/contract/judge-rollback.js';

/** What a check answers of one thing. */
interface Result<Output, Decision = Verdict> {
  /** What was judged: a CustomResourceDefinition, an object, a bundle, a package. */
  readonly name: string;
  readonly verdict: Decision;
  readonly output: Output;
  /** Where each finding stands, in their order. */
  readonly places: readonly Place[];
}

interface Report<Output, Counts extends string, Each = Result<Output>> {
  readonly results: readonly Each[];
  /** What is to be known of the check itself, a sentence each. */
  readonly warnings?: readonly string[];
  /** What could not be checked and why, a sentence each. */
  readonly unchecked?: readonly string[];
  readonly counts: Readonly<Record<Counts, number>>;
}

/** Nothing beside the verdict. */
type Nothing = Readonly<Record<never, never>>;

export type CheckedObjects = StoredTally & {
  readonly otherDocuments: number;
  readonly unknownVersion: number;
};

/** Of a definition that both sides have. */
interface ComparedDefinition {
  /** The whole text of the profile's reference; empty when it allows. */
  readonly message: string;
  readonly errors?: Judgement['errors'];
  readonly effect?: Effect;
  readonly results?: readonly ProofResult[];
  readonly storedObjects?: CheckedObjects;
  readonly rollback?: Omit<JudgedRollback, 'finding'> & {
    readonly storedObjects?: CheckedObjects;
  };
}

interface ComparedResult extends Result<ComparedDefinition | Nothing> {
  /** Stored objects that come to harm, each as soon as it was judged. */
  readonly objects?: readonly HarmedObject[];
}

interface BeganToAnswer {
  /** What ended the run: what was judged before it stands above. */
  readonly error: {
    readonly code?: InputErrorCode;
    readonly message: string;
    readonly where?: Place;
  };
  readonly results: readonly unknown[];
}

type Decided = 'allowed' | 'denied';

interface ComparedCounts {
  readonly allowed: number;
  readonly denied: number;
  readonly added: number;
  readonly removed: number;
  readonly otherDocuments: number;
  /** Findings that would have been denied without `--acknowledge`. */
  readonly acknowledged?: number;
}

interface Compared extends Omit<Report<never, never, ComparedResult>, 'counts'> {
  readonly counts: ComparedCounts;
  /** What was compared with, where the command line does not say it. */
  readonly comparedWith?: readonly string[];
}

/** `check crd` */
export type CheckCrd = Compared | BeganToAnswer;

/** `check bundle` */
export type CheckBundle = Report<
  {
    readonly version: string | null;
    /** The text with which OLM v1 refuses the bundle's manifests; null where it installs them. */
    readonly olmV1: string | null;
    /** Definitions that both bundles bring. */
    readonly crds: readonly {
      readonly name: string;
      readonly message: string;
      readonly effect: Effect | null;
      readonly results: readonly ProofResult[];
    }[];
  },
  'errors' | 'warnings' | 'notes'
>;

/** `check chart` */
export type CheckChart = Report<null, Decided>;

interface CheckedObject extends Result<null> {
  /**
   * The folder that was rendered to it, or who applies it. Of one source several renderings may make the same
   * object, each a result: a finding of them has the same entry in `places`.
   */
  readonly rendering?: string;
}

/** `check objects` */
export interface CheckObjects extends Report<null, Decided | 'skipped', CheckedObject> {
  /** Objects that were not judged, for want of a definition of their kind. */
  readonly skipped?: readonly SkippedKind[];
  readonly counts: {
    readonly allowed: number;
    readonly denied: number;
    readonly skipped: number;
    /** Judged by a JSON schema of a catalog, for want of a definition. */
    readonly bySchemaAlone?: number;
  };
}

/** `check operatorgroup` */
export type CheckOperatorgroup = Report<GroupEffects | Nothing, Decided | 'otherDocuments'>;

interface Protected {
  /** Of a definition: the ValidatingAdmissionPolicies that protect it. */
  readonly policies?: Coverage;
}

/** `scan` */
export type Scan = Report<Protected, 'objects' | 'errors' | 'warnings' | 'notes' | 'unchecked'>;

/** `roundtrip` */
export type Roundtrip = Report<Omit<RoundTripResult, 'faults'>, Decided>;

/** A finding with the place of the object in its file; `place.line` counts from 1. */
export interface CatalogFinding extends Finding {
  readonly place?: ObjectPlace;
}

/** A finding with the place of the object in its file; `place.line` counts from 1. */
export interface DiffFinding extends Finding {
  /** It was so in the old catalog, and is not held against the change. */
  readonly isAsBefore?: true;
  readonly place?: ObjectPlace;
}

/** Of catalogs, whose findings say themselves where they stand. */
interface CatalogVerdict<Said extends Finding> extends Omit<Verdict, 'findings'> {
  readonly findings: readonly Said[];
}

type CatalogReport<Output, Said extends Finding, Counts extends string> = Report<
  Output,
  Counts,
  Result<Output, CatalogVerdict<Said>>
>;

/** `catalog validate` */
export type CatalogValidate = CatalogReport<
  {
    /** Whether opm accepts it. */
    readonly ok: boolean;
    readonly format: 'file-based' | 'package-manifests';
    /** What opm says of it; empty when it accepts. */
    readonly message: string;
  },
  CatalogFinding,
  'packages' | 'channels' | 'bundles' | 'deprecations' | 'others' | 'files'
>;

/** `catalog diff` */
export type CatalogDiff = CatalogReport<
  Omit<PackageDiff, 'findings' | 'package'>,
  DiffFinding,
  | ('changed' | 'added' | 'removed' | 'denied' | 'findings')
  | ('edgesCompared' | 'edgesWithoutDefinitions')
>;

/** `catalog list` */
export interface CatalogList {
  readonly packages: readonly PackageSummary[];
}

/** `catalog show` */
export type CatalogShow = PackageDetails;

/** `catalog path` */
export type CatalogPath = PathAnswer & {
  /** A sentence where no catalog has the installed version. */
  readonly notInCatalog?: string;
  /** Until when versions on the paths are supported, where a catalog says it. */
  readonly support?: readonly string[];
};

/** `catalog graph` */
export type CatalogGraph = Graph;

/** `resolve` */
export type Resolve = ResolveAnswer;

/** `range` */
export type Range = RangeExplanation;

/** `doctor` */
export type Doctor = readonly Observation[];

/** `plan` */
export type Plan = UpgradePlan;

/** `migrate plan` */
export type MigratePlan = MigrationPlan;

/** `migrate run` */
export type MigrateRun = MigrationResult;

/** `migrate verify` */
export type MigrateVerify = Verification;

/** `export vap` */
export interface ExportVap {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  /** ValidatingAdmissionPolicies and their bindings. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
}
