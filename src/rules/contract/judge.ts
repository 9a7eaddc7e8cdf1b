/** What an upgrade does to clients, server-side apply, readers and tables. */
import {
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from '../../crd/custom-resource-definition.js';
import type { Differences } from '../../crd/difference.js';
import { locationOf, type Location } from '../../crd/place.js';
import { upgradeOf } from '../../crd/upgrade.js';
import type { Effect, Finding } from '../../finding.js';
import type { ProofResult } from '../../proof/index.js';
import { InvalidInputError, type JsonValue } from '../../text/documents/index.js';
import { quote } from '../../text/go/index.js';
import { olmReference } from '../crd/olm-v1.js';
import type { ContractDifference, ContractPair, ContractRule, VersionPair } from './rule.js';
import { contractRules } from './table.js';

export interface ContractJudgement {
  readonly findings: readonly Finding[];
  /** One for each difference, also for those that take nothing away. */
  readonly results: readonly ProofResult[];
  /** Where a finding of this judgement stands. */
  readonly locate: (finding: Finding) => Location | undefined;
}

/** Of one rule; a shared type that changes may be a hundred fields of a real definition. */
const maxDifferences = 1_000;

/**
 * Judges what the rules of a profile do not look at. Whatever cannot be read of the schemas is not
 * compared: the profile says that it cannot be.
 *
 * @param looks for objects, where findings are to carry requests and witnesses
 * @throws InvalidInputError `E_INPUT` when one of them is no v1 CustomResourceDefinition
 */
export function judgeContract(
  old: JsonValue,
  next: JsonValue,
  looks: Pick<ContractPair, 'sample' | 'shows'> = {},
): ContractJudgement {
  const before = readCustomResourceDefinition(old, { path: '$.old' });
  const after = readCustomResourceDefinition(next, { path: '$.new' });
  const shared = before.versions.flatMap((version): VersionPair[] => {
    const now = after.version(version.name);
    return now === undefined || before.version(version.name) !== version
      ? []
      : [{ old: version, new: now }];
  });
  const heard = new Set<string>();
  const pair: ContractPair = {
    ...{ old: before, next: after, shared, heard },
    ...differencesOf(before, after, shared),
    ...looks,
  };
  const places = new Map<Finding, ContractDifference>();
  const results: ProofResult[] = [];
  for (const rule of contractRules) {
    let count = 0;
    for (const difference of bounded(rule, pair)) {
      heard.add(rule.id);
      if (++count > maxDifferences) {
        const reason = `and more differences of ${rule.id}, for which there is no room here`;
        const place = { side: 'new', keys: ['spec'] } as const;
        places.set(findingOf(rule, after.name, { reason, place }), { reason, place });
        results.push(resultOf(rule, { reason, place }));
        break;
      }
      results.push(resultOf(rule, difference));
      if (difference.isHarmless === true) continue;
      places.set(findingOf(rule, after.name, difference), difference);
    }
  }
  return {
    findings: [...places.keys()],
    results,
    locate: (finding) => {
      const difference = places.get(finding);
      return difference && locationOf(difference.place);
    },
  };
}

/** A keyword that cannot be read ends what its rule has to say; the profile refuses it by name. */
function* bounded(rule: ContractRule, pair: ContractPair): Generator<ContractDifference> {
  try {
    yield* rule.compare(pair);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
  }
}

function differencesOf(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  shared: readonly VersionPair[],
): Pick<ContractPair, 'changed' | 'removed' | 'between'> {
  const upgrade = upgradeOf(old, next, olmReference);
  const all = shared.map((pair): VersionPair & Differences => {
    try {
      return { ...pair, ...upgrade.sameVersion(pair.old, pair.new) };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      return { ...pair, removed: [], changed: [] };
    }
  });
  return {
    changed: all.flatMap(({ changed, ...pair }) => changed.map((field) => ({ ...pair, field }))),
    between: (before, after) => upgrade.sameVersion(before, after).changed,
    removed: all.flatMap(({ removed, ...pair }) => removed.map((field) => ({ ...pair, field }))),
  };
}

function findingOf(
  rule: ContractRule,
  name: string,
  { reason, version, path, request, witness }: ContractDifference,
): Finding {
  const where = [
    ...(version === undefined ? [] : [`version ${quote(version)}`]),
    ...(path === undefined ? [] : [`field ${quote(path)}`]),
  ].join(', ');
  const isSaid = version === undefined || (path === undefined && reason.includes(quote(version)));
  return rule.finding({
    message: isSaid || where === '' ? reason : `${where}: ${reason}`,
    object: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name },
    ...(version === undefined ? {} : { version }),
    ...(path === undefined ? {} : { path }),
    cause: [rule.id, version, path, reason].filter((part) => part !== undefined).join(' '),
    ...(request === undefined ? {} : { request }),
    ...(witness === undefined ? {} : { witness }),
  });
}

/** Nothing here is about what is stored. */
const effect: Effect = 'safe';

function resultOf(
  { audience }: ContractRule,
  { reason, version = '', path = '', request, witness }: ContractDifference,
): ProofResult {
  return {
    ...{ version, path, effect, audience, reason },
    ...(request === undefined ? {} : { request }),
    ...(witness === undefined ? {} : { witness }),
  };
}
