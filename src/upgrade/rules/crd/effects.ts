/** Both voices: what a reference's rule refuses, and whether it really breaks anything. */
import { addTo, compareValues } from '../../../text/group.js';
import type { ProofResult, ProofJudgement } from '../../proof/index.js';
import { InvalidInputError, metaOf, type JsonObject } from '../../../text/documents/index.js';
import { type Finding, type FindingPlace, foundAt, provenBy } from '../../../rule/index.js';
import { formatName, schemaKeys, type Keys } from '../../crd/schema-keys.js';
import { isAboutAnnotations } from '../../proof/differences/annotations.js';
import { findingOf, isWorthSaying, writesOf } from './proof-findings.js';
import { valueAt } from '../../../text/documents/fields.js';
import type { ReferenceProfile } from './rule.js';
import { changeName, isOfRoute, ruleOfChange } from './change-name.js';
import { isRefusedByServer } from '../upgrade-rules.js';

export class ResultsByPath {
  private readonly sorted: readonly ProofResult[];
  private readonly caused = new Map<string, ProofResult[]>();

  constructor(readonly all: readonly ProofResult[]) {
    this.sorted = [...all].sort((left, right) => compareValues(left.path, right.path));
    for (const each of all) for (const path of each.causes ?? []) addTo(this.caused, path, each);
  }

  causedAt(path: string): readonly ProofResult[] {
    return this.caused.get(path) ?? [];
  }

  at(path: string): readonly ProofResult[] {
    const found: ProofResult[] = [];
    for (let index = this.first(path); this.sorted[index]?.path === path; index++) {
      found.push(this.sorted[index] as ProofResult);
    }
    return found;
  }

  beneath(path: string): readonly ProofResult[] {
    return ['.', '['].flatMap((separator) => {
      const found: ProofResult[] = [];
      const start = path + separator;
      for (let index = this.first(start); ; index++) {
        const result = this.sorted[index];
        if (result?.path.startsWith(start) !== true) return found;
        found.push(result);
      }
    });
  }

  nearestAbove(path: string, isWanted: (result: ProofResult) => boolean): readonly ProofResult[] {
    for (const each of pathsAbove(path)) {
      const found = this.at(each).filter(isWanted);
      if (found.length > 0) return found;
    }
    return [];
  }

  private first(path: string): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareValues(this.sorted[middle]?.path ?? '', path) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function* pathsAbove(path: string): Generator<string> {
  for (let end = path.length - 1; end > 0; end--) {
    if (path[end] === '.' || path[end] === '[') yield path.slice(0, end);
  }
}

interface ProvenFindings {
  readonly findings: readonly Finding[];
  readonly otherHarm: readonly ProofResult[];
}

/** Where no proof can be had, every finding is undecided, and the reference's verdict stays. */
export function proveFindings(
  pair: { readonly proof: ProofJudgement },
  reference: Pick<ProvenFindings, 'findings'>,
): ProvenFindings & { readonly proof?: ProofJudgement } {
  try {
    const { proof } = pair;
    return { ...withEffects(reference, proof), proof };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const undecided = reference.findings.map((finding): Finding => {
      return { ...finding, effect: 'undecided' };
    });
    return { findings: undecided, otherHarm: [] };
  }
}

/**
 * Gives each finding the worst that the proof says of its own change: of the difference of that name at its
 * place, or where neither has a name, of what no other finding tells there or beneath. What stayed
 * and is harmed by changes inside it is told of those changes. Where the proof has no difference (a
 * disagreement of served versions that was there before), nothing breaks by this upgrade. What only
 * counts findings for which there was no room is nowhere, and gets the worst of all.
 */
export function withEffects(
  { findings }: Pick<ProvenFindings, 'findings'>,
  proof: Pick<ProofJudgement, 'results'>,
): ProvenFindings {
  const byVersion = groupByVersion(proof.results);
  const unprovable = unprovableVersions(proof);
  const spots = new Map(findings.map((each) => [each, spotOf(each[foundAt])]));
  const ownership = new Ownership(spots, byVersion);
  const untold = new Set(proof.results);
  const proven = findings.map((finding): Finding => {
    const spot = spots.get(finding);
    const near = (results: ResultsByPath): readonly ProofResult[] => about(finding, spot, results);
    const found = resultsOf(finding, byVersion);
    const results =
      finding[foundAt] === undefined
        ? proof.results
        : [
            ...ownership.keep(finding, found.flatMap(near)),
            ...found.flatMap((results) => causedBy(spot, results)),
          ];
    for (const each of results) untold.delete(each);
    const isOwn = ({ version, from }: ProofResult): boolean =>
      from === undefined && version === finding.version;
    const ownFirst = [...results.filter(isOwn), ...results.filter((each) => !isOwn(each))];
    const result = isRefusedByServer(finding.rule) ? refusal : worstResult(ownFirst);
    const isUntried = result?.effect === 'undecided' && results.some(isUntriedHarm);
    return {
      ...finding,
      effect: result?.effect ?? 'safe',
      ...(isUntried ? { unprovable: true as const } : {}),
      ...(versionsOf(finding).some((version) => unprovable.has(version))
        ? { effect: 'undecided', unprovable: true }
        : {}),
      ...(result === undefined ? {} : { proof: reasonFor(finding, result), ...writesOf(result) }),
      ...(result?.harm === undefined ? {} : { harm: result.harm }),
      ...(result?.witness === undefined ? {} : { witness: result.witness }),
      [provenBy]: result,
    };
  });
  const otherHarm = [...untold].filter(
    ({ effect }) => effect === 'breaking' || effect === 'data-loss',
  );
  return { findings: proven, otherHarm };
}

/** Harm that only an absurd object could show is warned of, whether such an object was tried or not. */
const isUntriedHarm = ({ isUntried, harm }: ProofResult): boolean =>
  isUntried === true && harm !== 'AbsurdValue';

/** Says through which other version an object comes to the harm. */
function reasonFor(finding: Finding, { version, from, reason, effect }: ProofResult): string {
  const isSaid = effect === 'safe' || finding.version === undefined || isOfRoute.test(reason);
  return isSaid || from === undefined
    ? reason
    : `${reason}; this comes to objects stored as ${from}, through ${version}`;
}

function causedBy(spot: Spot | undefined, results: ResultsByPath): readonly ProofResult[] {
  return spot === undefined || spot.keyword === 'description' ? [] : results.causedAt(spot.path);
}

/** Harm that a reference's rules allow although it is shown, in the proof's words: an error all the same. */
export function harmAllowedByProfile(
  next: JsonObject,
  profile: ReferenceProfile,
  { otherHarm }: Pick<ProvenFindings, 'otherHarm'>,
): Finding[] {
  const whose = profile === 'crdify' ? 'crdify' : 'OLM';
  return judgedResults(next, otherHarm, `; ${whose} would allow this`);
}

/** The proof's results worth reporting, at their places in the new definition. */
export function judgedResults(
  next: JsonObject,
  results: readonly ProofResult[],
  note = '',
): Finding[] {
  return results.filter(isWorthSaying).map((result): Finding => {
    const finding = findingOf(metaOf(next).name, result, note);
    const { version, path = '' } = finding;
    const keys = version === undefined ? ['spec'] : keysOfChange(next, version, path, result);
    return { ...finding, [foundAt]: { side: 'new', keys }, [provenBy]: result };
  });
}

function keysOfChange(next: JsonObject, version: string, path: string, result: ProofResult): Keys {
  const keys = schemaKeys(next, version, path);
  const keyword = keywordOf(result);
  // The field is missing where its parent asks for it.
  const schema = keyword === 'required' ? keys.slice(0, -2) : keys;
  if (keyword === undefined) return keys;
  return valueAt(next, ...schema, keyword) === undefined ? keys : [...schema, keyword];
}

const rulesOfKeywords: ReadonlySet<string> = new Set([
  ...['maximum', 'maxItems', 'maxLength', 'maxProperties', 'minimum', 'minItems', 'minLength'],
  ...['minProperties', 'required', 'enum', 'default', 'type', 'pattern', 'nullable'],
]);

/** Reasons that the proof gives for keywords that have no rule of their own. */
const otherKeywords: readonly (readonly [RegExp, string])[] = [
  [/^(?:the list has more keys|items must differ)/, 'x-kubernetes-list-type'],
  [/^a validation rule /, 'x-kubernetes-validations'],
  [/^allOf /, 'allOf'],
  [/^anyOf /, 'anyOf'],
  [/^oneOf /, 'oneOf'],
  [/^not /, 'not'],
  [/^the format /, 'format'],
  [/^numbers must be multiples /, 'multipleOf'],
];

function keywordOf(result: ProofResult): string | undefined {
  const rule = ruleOfChange.get(nameOfDifference(result) ?? '');
  if (rule !== undefined && rulesOfKeywords.has(rule)) return rule;
  return otherKeywords.find(([says]) => says.test(result.reason))?.[1];
}

/** A refused update never happens, so it breaks nothing. */
const refusal: ProofResult = {
  version: '',
  path: '',
  effect: 'safe',
  audience: 'objects',
  reason: 'Kubernetes itself refuses this',
};

/** Versions, of which a pair may be compared that no proof can follow. */
export function unprovableVersions({
  results,
}: Pick<ProofJudgement, 'results'>): ReadonlySet<string> {
  const open = results.filter(({ unprovable }) => unprovable === true);
  return new Set(open.flatMap(({ version, from = version }) => [version, from]));
}

function groupByVersion(results: readonly ProofResult[]): ReadonlyMap<string, ResultsByPath> {
  const groups = new Map<string, ProofResult[]>();
  for (const result of results) {
    addTo(groups, result.version, result);
    if (result.from !== undefined) addTo(groups, result.from, result);
  }
  return new Map([...groups].map(([version, group]) => [version, new ResultsByPath(group)]));
}

function versionsOf({ version }: Finding): string[] {
  return version === undefined ? [''] : version.split(' -> ');
}

function resultsOf(
  finding: Finding,
  byVersion: ReadonlyMap<string, ResultsByPath>,
): ResultsByPath[] {
  return versionsOf(finding).flatMap((version) => byVersion.get(version) ?? []);
}

/** Assigns each difference to the finding that reports it. */
class Ownership {
  readonly #own = new Map<Finding, ReadonlySet<ProofResult>>();
  /** Reported by a finding of that very change. */
  readonly #named = new Set<ProofResult>();
  readonly #unnamed = new Set<ProofResult>();

  constructor(
    spots: ReadonlyMap<Finding, Spot | undefined>,
    byVersion: ReadonlyMap<string, ResultsByPath>,
  ) {
    const names = new Map<ProofResult, string | undefined>();
    const nameOf = (result: ProofResult): string | undefined => {
      if (!names.has(result)) names.set(result, nameOfDifference(result));
      return names.get(result);
    };
    for (const [finding, spot] of spots) {
      if (spot === undefined || isRefusedByServer(finding.rule)) continue;
      const name = changeName(finding);
      for (const results of resultsOf(finding, byVersion)) {
        if (name === undefined && spot.keyword === 'description') continue;
        if (name === undefined) {
          for (const each of results.at(spot.path)) this.#unnamed.add(each);
          continue;
        }
        const own = placesOf(name, spot.path, results).filter((each) => nameOf(each) === name);
        this.#own.set(finding, new Set([...(this.#own.get(finding) ?? []), ...own]));
        for (const each of own) this.#named.add(each);
      }
    }
  }

  keep(finding: Finding, results: readonly ProofResult[]): readonly ProofResult[] {
    const own = this.#own.get(finding);
    if (own === undefined) {
      const left = results.filter((each) => !this.#named.has(each));
      // Words alone do not answer for a keyword of which the proof says nothing by itself.
      return left.some((each) => !isAboutAnnotations(each)) ? left : results;
    }
    if (own.size === 0) return results;
    const isLeft = (each: ProofResult): boolean =>
      !own.has(each) && !this.#named.has(each) && !this.#unnamed.has(each);
    return [...own, ...results.filter(isLeft)];
  }
}

function nameOfDifference(result: ProofResult): string | undefined {
  if (isAboutAnnotations(result)) return 'DescriptionChanged';
  return changeName({ rule: '', family: 'crd-upgrade-safety', message: result.reason });
}

function placesOf(name: string, path: string, results: ResultsByPath): readonly ProofResult[] {
  if (name === 'RequiredFieldAdded') {
    return results.beneath(path).filter((each) => isChild(each.path, path));
  }
  const here = results.at(path);
  if (name !== 'FieldRemoved' || here.length > 0) return here;
  return results.nearestAbove(path, isOfAllInside(path));
}

function about(
  finding: Finding,
  spot: Spot | undefined,
  results: ResultsByPath,
): readonly ProofResult[] {
  if (finding.version === undefined || spot === undefined) return results.all;
  const { path, keyword } = spot;
  const here = results.at(path);
  if (keyword === 'description') return here.filter(isAboutAnnotations);
  const exact = here.filter((each) => !isAboutAnnotations(each));
  if (keyword === 'required') {
    // The proof names the field that is missing, the rule the object that must have it.
    const children = results.beneath(path).filter((each) => isChild(each.path, path));
    if (children.length > 0) return [...exact, ...children];
  }
  if (keyword !== undefined && exact.length > 0) return exact;
  const all = keyword === undefined ? [...here, ...results.beneath(path)] : here;
  if (all.some((each) => !isAboutAnnotations(each))) return all;
  // Nothing inside a field is looked at that is gone or of another type, and the proof names the outermost.
  const above = results.nearestAbove(path, isOfAllInside(path));
  // An undecided result without a path may break at any place.
  const rest = results.at('').filter(({ effect }) => effect === 'undecided');
  return [...(above.length > 0 ? above : all), ...rest];
}

/** Whether a result is about a place and all inside it. */
function isOfAllInside(path: string): (result: ProofResult) => boolean {
  return (result) => {
    const name = nameOfDifference(result);
    if (name === 'FieldRemoved' || name === 'TypeChanged') return true;
    return path.startsWith(`${result.path}[*]`) && saysUndeclared.test(result.reason);
  };
}

const saysUndeclared =
  /^(?:undeclared fields are no longer kept|the schemas differ in (?:items|additionalProperties))/;

const isChild = (path: string, parent: string): boolean =>
  !/[.[]/.test(path.slice(parent.length + 1));

/** One that no update goes with comes first, a mild kind of harm only where nothing graver is shown. */
export function worstResult(results: readonly ProofResult[]): ProofResult | undefined {
  const grave = results.filter(({ harm }) => harm === undefined);
  const among = (found: readonly ProofResult[], effect: ProofResult['effect']) => {
    const all = found.filter((each) => each.effect === effect);
    return all.find(({ stored }) => stored?.update === 'refused') ?? all[0];
  };
  for (const found of [grave, results]) {
    for (const effect of ['breaking', 'data-loss', 'undecided'] as const) {
      const worst = among(found, effect);
      if (worst !== undefined) return worst;
    }
  }
  return among(results, 'behavior') ?? among(results, 'safe');
}

interface Spot {
  /** As the proof writes places: `^.spec.list[*]`. */
  readonly path: string;
  readonly keyword?: string;
}

const beforeSchema = 5; // spec, versions, 0, schema, openAPIV3Schema

function spotOf(place: FindingPlace | undefined): Spot | undefined {
  if (place === undefined) return undefined;
  const keys = place.gone ?? place.keys;
  if (keys.length < beforeSchema || keys[beforeSchema - 1] !== 'openAPIV3Schema') return undefined;
  let path = '^';
  for (let index = beforeSchema; index < keys.length; index++) {
    const key = keys[index];
    const next = keys[index + 1];
    switch (key) {
      case 'properties':
        if (next === undefined) return { path, keyword: key };
        path += `.${formatName(String(next))}`;
        index++;
        break;
      case 'items':
        path += '[*]';
        if (typeof next === 'number') index++;
        break;
      case 'additionalProperties':
        path += '[*]';
        break;
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'not':
        // The proof speaks of logical operators where they are: of the schema as a whole.
        return { path };
      default:
        return key === undefined ? { path } : { path, keyword: String(key) };
    }
  }
  return { path };
}
