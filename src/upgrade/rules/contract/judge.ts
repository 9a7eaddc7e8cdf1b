import type { Differences } from '../../crd/difference.js';
import { locationOf } from '../../crd/place.js';
import type { Upgrade } from '../../crd/upgrade.js';
import {
  formatWords,
  type Effect,
  type Finding,
  foundAt,
  referenceToDefinition,
} from '../../../rule/index.js';
import type { ProofResult } from '../../proof/index.js';
import { sampleObject } from '../../proof/values/sample-object.js';
import { Witnesses } from '../../proof/witnesses.js';
import { InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import { quote } from '../../../text/go/index.js';
import type { UpgradePair } from '../../pair.js';
import { placeOfKeys } from '../../proof/pin.js';
import type {
  ContractDifference,
  ContractPair,
  ContractRule,
  FieldContext,
  Sample,
  VersionPair,
} from './rule.js';
import { contractRules } from './table.js';

export interface ContractJudgement {
  readonly findings: readonly Finding[];
  /** One for each difference, also for those that take nothing away. */
  readonly results: readonly ProofResult[];
}

/** Limit for one rule; a change of a shared type may affect a hundred fields of a real definition. */
const maxDifferences = 1_000;

/** An unreadable schema is not compared: the profile says so. @param looks for objects that show findings */
export function judgeContract(
  { old, next, upgrade }: UpgradePair,
  looks: Pick<ContractPair, 'sample' | 'shows'> = {},
): ContractJudgement {
  const shared = old.versions.flatMap((version): VersionPair[] => {
    const newVersion = next.version(version.name);
    return newVersion === undefined || old.version(version.name) !== version
      ? []
      : [{ old: version, new: newVersion }];
  });
  const heard = new Set<string>();
  const pair: ContractPair = {
    old,
    next,
    shared,
    heard,
    ...differencesOf(upgrade, shared),
    ...looks,
  };
  const findings: Finding[] = [];
  const results: ProofResult[] = [];
  const tell = (rule: ContractRule, difference: ContractDifference): void => {
    const reason = formatWords(difference, rule.messages);
    results.push(resultOf(rule, difference, reason));
    if (difference.isHarmless === true) return;
    findings.push(findingOf(rule, next.name, difference, reason));
  };
  for (const rule of contractRules) {
    let count = 0;
    for (const difference of bounded(rule, pair)) {
      heard.add(rule.id);
      if (++count > maxDifferences) {
        tell(rule, { id: 'more', data: { rule: rule.id }, place: { side: 'new', keys: ['spec'] } });
        break;
      }
      tell(rule, difference);
    }
  }
  return { findings, results };
}

/** For so many fields of one definition. */
const maxSamples = 100;

/** Little: a request is only an example of a finding, which stands without it. */
const limits = { perDifference: 40, inAll: 400, atRandom: 0, values: 100_000 };

/** Stops making up requests and witnesses once the pair's time is over. */
export function judgeContractWithRequests(pair: UpgradePair): ContractJudgement {
  const { isOver = () => false } = pair.options;
  let left = maxSamples;
  const sampleOf = (
    definition: JsonObject,
    version: string,
    within?: FieldContext,
  ): ReturnType<Sample> => {
    if (left-- <= 0 || isOver()) return undefined;
    const place =
      within === undefined
        ? undefined
        : placeOfKeys(locationOf({ side: 'new', version: 0, spot: within.field.spot }).keys);
    if (place === null) return undefined;
    return sampleObject(definition, version, { place, pin: within?.pin, isOver });
  };
  const { old, next, known } = pair;
  const back = new Witnesses(next, old, { limits, isOver, known });
  return judgeContract(pair, {
    sample: (version, within) => sampleOf(old.document, version, within),
    shows: (version, paths, within) => {
      if (within.pin !== undefined) return sampleOf(next.document, version, within);
      for (const path of paths) {
        const witness = back.find(version, path);
        if (witness !== undefined) return witness;
      }
      return undefined;
    },
  });
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
  upgrade: Upgrade,
  shared: readonly VersionPair[],
): Pick<ContractPair, 'changed' | 'removed' | 'between'> {
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
  { id, data, version, path, request, witness, place, isMild }: ContractDifference,
  reason: string,
): Finding {
  const where = [
    ...(version === undefined ? [] : [`version ${quote(version)}`]),
    ...(path === undefined ? [] : [`field ${quote(path)}`]),
  ].join(', ');
  const isSaid = version === undefined || (path === undefined && reason.includes(quote(version)));
  const finding = rule.finding({
    id,
    data,
    ...(isMild === true ? { severity: 'warning' } : {}),
    object: referenceToDefinition(name),
    version,
    path,
    cause: [rule.id, version, path, reason].filter((part) => part !== undefined).join(' '),
    request,
    witness,
    [foundAt]: locationOf(place),
  });
  return isSaid || where === '' ? finding : { ...finding, message: `${where}: ${reason}` };
}

const effect: Effect = 'safe';

function resultOf(
  { audience }: ContractRule,
  { version = '', path = '', request, witness }: ContractDifference,
  reason: string,
): ProofResult {
  return { version, path, effect, audience, reason, request, witness };
}
