import { InvalidInputError } from '../../../text/documents/index.js';
import type { Finding } from '../../../rule/index.js';
import { crdifyMessage, crdifyReference, validateCrdify, type CrdifyError } from './crdify.js';
import {
  requireSameName,
  type CustomResourceDefinition,
} from '../../crd/custom-resource-definition.js';
import {
  olmErrors,
  olmErrorsOf,
  olmMessage,
  servedVersionValidator,
  validateOlm,
  validateOlmServedVersions,
  type ValidatorError,
} from './olm-v1.js';
import type { Report } from './report.js';
import type { ReferenceProfile } from './rule.js';
import { propertyRulesOf } from './table.js';
import { TypedText } from '../../crd/typed-text.js';
import { isRefusedByServer } from '../upgrade-rules.js';
import { Upgrade } from '../../crd/upgrade.js';
import type { UpgradePair } from '../../pair.js';

export const referenceProfiles = ['olm-v1', 'crdify', 'olm-v1.10'] as const;

/** Whether one of its rules prints whole subtrees at each level of nesting. */
export function isSlowProfile(profile: ReferenceProfile): boolean {
  return profile !== 'olm-v1' && propertyRulesOf[profile].some(({ isSlow }) => isSlow === true);
}

export class UpgradeJudgement {
  readonly findings: readonly Finding[];

  /** @param message the complete text of the reference; empty when allowed */
  constructor(
    { findings }: Report,
    readonly errors: readonly (ValidatorError | CrdifyError)[],
    readonly message: string,
  ) {
    this.findings = findings;
  }

  get allowed(): boolean {
    return this.findings.length === 0;
  }
}

/** As in a cluster and in a bundle. @throws InvalidInputError `E_INPUT`, `E_LIMIT` for too many differences */
export function judgeByReference(pair: UpgradePair, profile: ReferenceProfile): UpgradeJudgement {
  const { old, next } = pair;
  requireSameName(old, next);
  try {
    switch (profile) {
      case 'olm-v1': {
        const report = validateOlm(pair.upgrade);
        const errors = olmErrors(report);
        return new UpgradeJudgement(report, errors, olmMessage(next.name, errors));
      }
      case 'crdify':
      case 'olm-v1.10': {
        const upgrade = new Upgrade(old, next, pair.compared(crdifyReference));
        const { report, errors } = validateCrdify(upgrade, profile, pair.options.crdify);
        return new UpgradeJudgement(report, errors, crdifyMessage(next.name, report.findings));
      }
    }
  } catch (error) {
    throw onItsSide(error, old, next);
  }
}

/** Reads each definition by itself, to find which of the two holds the keyword that cannot be read. */
function onItsSide(
  error: unknown,
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): unknown {
  if (!(error instanceof InvalidInputError)) return error;
  for (const [definition, path] of [
    [old, '$.old'],
    [next, '$.new'],
  ] as const) {
    try {
      const text = new TypedText({ stored: false, emptyIsAbsent: false });
      for (const { schema = {} } of definition.versions) text.schema(schema);
    } catch {
      return error.at({ path });
    }
  }
  return error;
}

/**
 * Findings of a judgement that the old definition has already, so that an upgrade is not blamed for
 * them: served versions that never agreed. `crdify` leaves these out of its findings on its own.
 * None where another version is stored from now on: which one it is decides what a difference costs.
 */
export function findingsOfOld(
  { old, next, ofOld }: UpgradePair,
  profile: ReferenceProfile,
  findings: readonly Finding[],
): readonly Finding[] {
  const comparesServed = findings.some(({ rule }) => rule === servedVersionValidator);
  if (profile !== 'olm-v1' || !comparesServed) return [];
  if (old.storage?.name !== next.storage?.name) return [];
  // A mere number of further ones is never the same as another.
  return validateOlmServedVersions(ofOld.upgrade).reported;
}

/** Some findings, in their order; empty for none. @param versions of OLD, in its order */
export function upgradeMessage(
  name: string,
  profile: ReferenceProfile,
  findings: readonly Finding[],
  versions: readonly string[],
): string {
  return profile === 'olm-v1'
    ? olmMessage(name, olmErrorsOf(findings, versions))
    : crdifyMessage(name, findings);
}

/** A warning about what the API server refuses, as profiles deny it that have no texts of a reference. */
export function asRefusedByKubernetes(finding: Finding): Finding {
  return isRefusedByServer(finding.rule) ? { ...finding, severity: 'error' } : finding;
}
