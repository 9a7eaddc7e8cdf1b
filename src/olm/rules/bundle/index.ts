/** A registry+v1 bundle as its author checks it before it is published. */
import type { JsonObject, Place } from '../../../text/documents/index.js';
import { type Finding, foundAt } from '../../../rule/index.js';
import type { InstallRequest } from '../../catalogs/upgrades/extension-config.js';
import { textAt } from '../../../text/documents/fields.js';
import { type Bundle, v1beta1 } from './bundle.js';
import { minorsByDefault, type TargetMinors } from '../../../kubernetes/index.js';
import { hintLimits } from '../../../upgrade/index.js';
import {
  askServers,
  compareCrds,
  type CrdComparison,
  type CrdComparisonOptions,
} from './crd-checks.js';
import { checkCsv, checkReplacement } from './csv-checks.js';
import { checkMetadata } from './metadata-checks.js';
import { refusalOfOlmV1 } from './olm-v1-refusal.js';
import { checkRemovedApis, checkServedDefinitions } from './manifest-checks.js';

export interface BundleCheck {
  readonly findings: readonly Finding[];
  readonly places: readonly Place[];
  readonly crds: readonly CrdComparison[];
  /** Findings of the old bundle by itself, for the ratchet. */
  readonly previous: () => readonly Finding[];
  readonly definitions: readonly { readonly old?: JsonObject; readonly next?: JsonObject }[];
  readonly unchecked: readonly string[];
  /** The text with which OLM v1 refuses the bundle's manifests; null where it installs them. */
  readonly olmV1: string | null;
}

export interface BundleCheckOptions extends CrdComparisonOptions {
  /** A folder is judged as a whole bundle; of a single file nothing is missing. */
  readonly isWhole: boolean;
  /** The ClusterExtension that would install it. */
  readonly install?: InstallRequest | undefined;
  readonly against?: Bundle;
  /** Minors whose API servers judge its definitions; by default from its `minKubeVersion` on. */
  readonly minors?: TargetMinors | undefined;
}

export function checkBundle(bundle: Bundle, options: BundleCheckOptions): BundleCheck {
  const { isWhole, against } = options;
  const lowest = bundle.csv && textAt(bundle.csv.value.object, 'spec', 'minKubeVersion');
  const minors = options.minors ?? minorsByDefault(lowest);
  const hints = { values: 2 * hintLimits.values };
  const crds =
    against === undefined
      ? []
      : [...bundle.crds.values()].flatMap((next) => {
          const old = against.crds.get(next.name);
          return old === undefined ? [] : [compareCrds(old, next, options, hints)];
        });
  const servers = [...bundle.crds.values()].map((next) => askServers(next, against, minors));
  const findings = [
    ...checkCsv(bundle),
    ...checkMetadata(bundle, isWhole),
    ...checkRemovedApis(bundle),
    ...checkServedDefinitions(bundle),
    ...(against === undefined ? [] : checkReplacement(bundle, against)),
    ...crds.flatMap((crd) => crd.findings),
    ...servers.flatMap((each) => each.findings),
  ];
  return {
    findings,
    places: findings.map(({ [foundAt]: at }) => at?.document?.placeOf(at.keys) ?? {}),
    crds,
    previous: () => crds.flatMap(({ previous }) => previous()),
    definitions:
      against === undefined
        ? []
        : [...new Set([...against.crds.keys(), ...bundle.crds.keys()])].map((name) => ({
            old: against.crds.get(name)?.crd.document,
            next: bundle.crds.get(name)?.crd.document,
          })),
    unchecked: [
      ...servers.flatMap(({ unchecked }) => unchecked),
      ...(against === undefined ? [] : uncompared(bundle, against)),
    ],
    olmV1: refusalOfOlmV1(bundle, options.install),
  };
}

/** Definitions that both bundles bring, one of them in an API version that is not read. */
function uncompared(bundle: Bundle, against: Bundle): string[] {
  const names = ({ definitions }: Bundle): Set<string> =>
    new Set(definitions.flatMap(({ value }) => textAt(value, 'metadata', 'name') ?? []));
  return [...names(bundle)]
    .filter((name) => names(against).has(name))
    .filter((name) => !bundle.crds.has(name) || !against.crds.has(name))
    .map((name) => `${name}: the upgrade is not judged, because one side is written in ${v1beta1}`);
}
