import { groupBy } from '../../text/group.js';
import { type InvalidInputError, invalidInput } from '../../text/documents/index.js';
import type { Release } from '../apiserver/open-api.js';
import table from './by-minor.json' with { type: 'json' };

/** In what the validation of definitions differs between minors; see test/reference/definitions. */
export interface ServerTraits {
  /** The release of k8s.io/apiextensions-apiserver that was asked: `v0.29.6`. */
  readonly apiextensions: string;
  /** CEL libraries and options that a new expression may use were introduced at or before this minor. */
  readonly celCompatibility: number;
  /** `v0.26.0`, which brings what no version gates: */
  readonly celGo: string;
  /** … `first()` and `last()` of lists, and unwrapping of optionals, */
  readonly knowsFirstAndLast: boolean;
  /** … the check of literal formats, */
  readonly checksFormatLiterals: boolean;
  /** … which breaks down over a format that is no literal, */
  readonly breaksOverComputedFormats: boolean;
  /** … literals of mixed types anywhere within the arguments of a format, not only directly, */
  readonly mixesThroughoutFormats: boolean;
  /** … one node for both places of what optMap is called on, whose types must be the same, */
  readonly sharesOptionals: boolean;
  /** … a type for the second variable of a fold over what is dyn, */
  readonly typesSecondOfDyn: boolean;
  /** … the name that stands for the type of optionals, */
  readonly optionalType: string;
  /** … sizes of what folds make, */
  readonly sizesFolds: boolean;
  /** … and of what is in lists and maps, since 0.23. */
  readonly sizesEntries: boolean;
  /** `duration(1)` is a duration. */
  readonly convertsIntToDuration: boolean;
  /** a.`b` is read. */
  readonly readsQuotedFields: boolean;
  /** A comprehension variable shadows dotted names of types that begin with it, and `.x` bypasses it. */
  readonly hidesDottedNames: boolean;
  /** `matches(text, pattern)` costs as `text.matches(pattern)`. */
  readonly costsMatchesFunction: boolean;
  /** Costs of parsing quantities depend on their size. */
  readonly costsQuantities: boolean;
  /** How large a parsed URL is, is known. */
  readonly sizesUrls: boolean;
  /** Equality of addresses, quantities and versions costs 1. */
  readonly costsOpaqueEquality: boolean;
  /** `maxLength` bounds the text of an int-or-string where costs are estimated. */
  readonly boundsIntOrString: boolean;
  /** Names of resources are as long as a name may be where costs are estimated. */
  readonly boundsNames: boolean;
  /** Errors in owner references and managed fields name the problem and the field. */
  readonly tellsMissingMeta: boolean;
  /** Rules of what has no type end the request. */
  readonly breaksWithoutType: boolean;
  /** The API has selectable fields at all. */
  readonly decodesSelectableFields: boolean;
  /** Otherwise they are dropped. */
  readonly knowsSelectableFields: boolean;
  /** Otherwise it is dropped. */
  readonly knowsOptionalOldSelf: boolean;
  /** `additionalProperties: false` below anyOf and its like is no schema, so that it is accepted. */
  readonly ignoresNestedFalse: boolean;
  /** `externalDocs` and `example` are part of the structural schema. */
  readonly keepsExamples: boolean;
  /** A stored messageExpression is known by its own text; before, by that of its rule. */
  readonly knowsStoredMessages: boolean;
  readonly checksCaBundle: boolean;
  /** Too many selectable fields may stay. */
  readonly toleratesSelectableFields: boolean;
  /** Below the `fieldPath` of a rule that a default breaks stand the next ones of the same value. */
  readonly addsFieldPaths: boolean;
  /** Formats k8s-short-name and k8s-long-name are checked. */
  readonly checksNameFormats: boolean;
  /** Formats of numbers limit their range. */
  readonly checksNumberFormats: boolean;
  /** Values that are too short, or have too few items, get an error type of their own. */
  readonly namesTooFew: boolean;
}

const byMinor = new Map(Object.entries(table)) as ReadonlyMap<string, ServerTraits>;

export const knownMinors: readonly string[] = [...byMinor.keys()];
/** The release of k8s.io/apiextensions-apiserver that each of them was asked by: `v0.37.2`. */
export const releasesByMinor: ReadonlyMap<string, string> = new Map(
  Object.entries(table).map(([minor, { apiextensions }]) => [minor, apiextensions]),
);
export const newestMinor = knownMinors[knownMinors.length - 1] as string;

export function traitsOf(minor: string): ServerTraits {
  const traits = byMinor.get(minor);
  if (traits === undefined) throw unknownMinor(minor);
  return traits;
}

/** By whose rules servers with these traits validate values. */
export function releaseOf(traits: ServerTraits): Release {
  if (traits.namesTooFew) return '1.38';
  if (traits.checksNumberFormats) return '1.36';
  return traits.checksNameFormats ? '1.35' : '1.33';
}

/** The newest minor judges numbers: servers may be upgraded once a value is stored. Undefined is 1.35. */
export function releaseFor(text: string | undefined): Release | undefined {
  const named = text?.match(/\d+\.\d+(?:\.\d+)*(?:\+(?!\w))?/g) ?? [];
  const isHeld = named.some((each) => {
    const minor = /^\d+\.\d+/.exec(each)?.[0] ?? '';
    return each.endsWith('+') || isNewer(minor) || byMinor.get(minor)?.checksNumberFormats === true;
  });
  return isHeld ? '1.36' : undefined;
}

/** Minors by the release whose rules they validate values by, each from the oldest to the newest. */
export function minorsByRelease(minors: readonly string[]): ReadonlyMap<Release, string[]> {
  return groupBy(minors, (minor) => releaseOf(traitsOf(minor)));
}

/** Whom a question is for: minors of Kubernetes, from the oldest to the newest. */
export interface TargetMinors {
  readonly all: readonly string[];
  /** Minors whose refusal denies; the others only warn. */
  readonly deciding: readonly string[];
  /** For each minor that was named and is newer than all that are known, a sentence. */
  readonly warnings?: readonly string[];
}

/** `1.30`, `1.30..1.36`, `1.33+`, `1.30,1.32`; all decide, a later one as the newest known. @throws `E_INPUT` */
export function askedMinors(text: string): TargetMinors {
  const newer = new Set<string>();
  const named = new Set(text.split(',').flatMap((part) => parsePart(part.trim(), newer)));
  const all = knownMinors.filter((minor) => named.has(minor));
  const warnings = [...newer].map(
    (minor) => `Kubernetes ${minor} is newer than any known here: judged as ${newestMinor} does`,
  );
  return { all, deciding: all, ...(warnings.length > 0 && { warnings }) };
}

function parsePart(part: string, newer: Set<string>): readonly string[] {
  const from = /^(.+)\+$/.exec(part)?.[1];
  if (from !== undefined) return knownMinors.slice(indexOf(from, newer));
  const [, first, last] = /^(.+?)(?:\.\.|-(?=v?\d+\.))(.+)$/.exec(part) ?? [];
  if (first === undefined || last === undefined) {
    return [knownMinors[indexOf(part, newer)] as string];
  }
  const range = knownMinors.slice(indexOf(first, newer), indexOf(last, newer) + 1);
  if (range.length > 0) return range;
  throw invalidInput(`${part} names no minor of Kubernetes: give the older one first`);
}

/**
 * The newest one decides, older ones warn. @param lowest as `minKubeVersion` names it; an unknown one leaves out none
 */
export function minorsByDefault(lowest = ''): TargetMinors {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(lowest) ?? [];
  const isServed = (known: string): boolean =>
    orderOf(...known.split('.')) >= orderOf(major, minor);
  const all = knownMinors.filter((known) => known === newestMinor || isServed(known));
  return { all, deciding: [newestMinor] };
}

/** Takes `v1.30` and `1.30.4` for the minor that they are of. */
function indexOf(text: string, newer: Set<string>): number {
  const minor = /^v?(\d+\.\d+)(?:\.\d+.*)?$/.exec(text)?.[1] ?? text;
  const index = knownMinors.indexOf(minor);
  if (index >= 0) return index;
  if (!isNewer(minor)) throw unknownMinor(text);
  newer.add(minor);
  return knownMinors.length - 1;
}

function isNewer(minor: string): boolean {
  const [, major, number] = /^(\d+)\.(\d+)$/.exec(minor) ?? [];
  return orderOf(major, number) > orderOf(...newestMinor.split('.'));
}

function orderOf(major = '0', minor = '0'): number {
  return Number(major) * 1_000 + Number(minor);
}

function unknownMinor(text: string): InvalidInputError {
  const shown = JSON.stringify(text.slice(0, 40));
  return invalidInput(
    `${shown} is no minor of Kubernetes whose judgement is known: name one from ${knownMinors[0] ?? ''} on, as in 1.30..${newestMinor} or 1.33+`,
  );
}

type Trait = keyof ServerTraits;

interface Known<Answer> {
  readonly traits: ServerTraits;
  /** The traits that were looked at for it. */
  readonly asked: ReadonlySet<Trait>;
  readonly answer: Answer;
}

/** One question. Minors share an answer when they agree in every trait it was made from. */
export class SharedAnswers<Answer> {
  private readonly known: Known<Answer>[] = [];

  /** @param make must look at the traits that it is given, and at nothing else that minors differ in */
  of(traits: ServerTraits, make: (traits: ServerTraits) => Answer): Answer {
    for (const { traits: other, asked, answer } of this.known) {
      if ([...asked].every((trait) => other[trait] === traits[trait])) return answer;
    }
    const asked = new Set<Trait>();
    const observed = new Proxy(traits, {
      get: (target, trait) => {
        asked.add(trait as Trait);
        return target[trait as Trait];
      },
    });
    const answer = make(observed);
    this.known.push({ traits, asked, answer });
    return answer;
  }
}
