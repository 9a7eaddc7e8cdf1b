/**
 * What `catalog diff` looks for. Sources: "How do operator upgrades work in OLM" (catalog invariant,
 * skipping updates, z-stream support) and the guidelines for maintaining file-based catalogs.
 */
import type { ObjectPlace } from '../../catalogs/index.js';
import { docsFor, type Effect, type Finding, type Severity } from '../../finding.js';

export interface DiffRule {
  readonly severity: Severity;
  /** Two or three sentences for a person: why, and what to do. */
  readonly explain: string;
}

export const catalogDiffRules = {
  CatalogPackageRemoved: {
    severity: 'error',
    explain:
      'Subscriptions and ClusterExtensions of a package that is gone resolve nothing any more. Deprecate a package before it is removed.',
  },
  CatalogChannelRemoved: {
    severity: 'error',
    explain:
      'Whoever subscribes to a channel that is gone gets no updates, and OLM classic resolves nothing in that namespace. Keep the channel and deprecate it.',
  },
  CatalogChannelUnusable: {
    severity: 'error',
    explain:
      'OLM classic needs one unique chain of `replaces` from one head; it installs nothing from a channel with several heads or a cycle. OLM v1 does not look at the chain.',
  },
  CatalogDefaultChannelMoved: {
    severity: 'warning',
    explain:
      'A Subscription that names no channel follows the default channel, so it changes its stream of updates.',
  },
  CatalogHeadChanged: {
    severity: 'info',
    explain:
      'The head is what a new Subscription installs. A head that goes back to a lower version leaves everybody above it without updates.',
  },
  CatalogNoReplacement: {
    severity: 'error',
    explain:
      'The catalog invariant: every version that can be installed has one replacement in the new catalog, except the head. Add a replaces, skips or skipRange that leads away from it.',
  },
  CatalogAmbiguousReplacement: {
    severity: 'warning',
    explain:
      'OLM classic takes the successor nearest the head, OLM v1 the highest version; here they part. Make both the same by what the head skips.',
  },
  CatalogUpgradeLoops: {
    severity: 'error',
    explain:
      'From this version the updates come round to where they were: OLM would install the same versions over and over. A skipRange must not cover its own version or a later one.',
  },
  CatalogBundleWithdrawn: {
    severity: 'error',
    explain:
      'Somebody has installed a bundle that is withdrawn. Release another bundle with an upgrade edge away from it.',
  },
  CatalogBundleChanged: {
    severity: 'error',
    explain:
      'OLM does not reinstall a bundle whose contents change under the same name: who has it keeps the old one. Release it under a new version.',
  },
  CatalogBundlePropertiesChanged: {
    severity: 'warning',
    explain:
      'The image is the same and what the catalog says about it is not: resolution changes, the installed bundle does not.',
  },
  CatalogZStream: {
    severity: 'warning',
    explain:
      'A z-stream release must replace all earlier ones of its minor version, so that each of them is updated to the newest. Let the newest skip the others.',
  },
  CatalogLateZStream: {
    severity: 'error',
    explain:
      'A patch release of an older minor came after the higher minor: unless the higher one skips it, whoever takes the patch is stranded there.',
  },
  CatalogEdgesLost: {
    severity: 'warning',
    explain:
      'An update that the old catalog offered is not offered any more: who waits for it, or pins it, does not get it.',
  },
  CatalogEdgeBreaks: {
    severity: 'error',
    explain:
      'Along this update a CustomResourceDefinition changes so that an object which is valid before it is refused, or loses data, after it. The witness is such an object.',
  },
  CatalogEdgeRefused: {
    severity: 'warning',
    explain:
      'OLM v1 refuses this update by its CRD upgrade safety, although no stored object is shown to break.',
  },
  CatalogEdgeUndecided: {
    severity: 'info',
    explain: 'Nobody could show that this change of a CustomResourceDefinition is safe, or breaks.',
  },
  CatalogEdgeDropsCrd: {
    severity: 'warning',
    explain:
      'The new bundle no longer brings a CustomResourceDefinition of the old one. OLM classic leaves it behind without an owner; OLM v1 deletes it, and its objects with it.',
  },
} as const satisfies Readonly<Record<string, DiffRule>>;

export type DiffRuleName = keyof typeof catalogDiffRules;

/** A finding with the place of the object in its file; `place.line` counts from 1. */
export interface DiffFinding extends Finding {
  readonly rule: DiffRuleName;
  readonly place?: ObjectPlace;
}

export interface Remark {
  readonly message: string;
  readonly place: ObjectPlace | undefined;
  /** What the finding is about, apart from its words; findings about the same have the same. */
  readonly about: string;
  /** Absent: the rule's own. */
  readonly severity?: Severity;
  readonly effect?: Effect;
  readonly witness?: unknown;
  readonly fix?: string;
}

export function diffFinding(rule: DiffRuleName, remark: Remark): DiffFinding {
  const { about, place, severity, ...rest } = remark;
  return {
    rule,
    family: 'catalogs',
    severity: severity ?? catalogDiffRules[rule].severity,
    ...rest,
    cause: `${rule} ${about}`,
    docs: docsFor(rule),
    ...(place !== undefined && { place }),
  };
}

const mostNamed = 8;

/** `a, b, c and 5 more`. */
export function namesText(names: readonly string[]): string {
  if (names.length <= mostNamed + 1) return names.join(', ');
  return `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`;
}
