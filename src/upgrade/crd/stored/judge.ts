/** Finds those that the old schema accepts and the new one refuses, by name and path, never by value. */
import {
  inNamespace,
  isObject,
  type JsonObject,
  type JsonValue,
  metaOf,
  own,
} from '../../../text/documents/index.js';
import { addWriters, withWriters, type Writer } from './writers.js';
import {
  type FieldError,
  type FieldErrorType,
  type ObjectValidator,
  ofCompiledRules,
  ranOutOfSteps,
  type SchemaNode,
} from '../../../kubernetes/index.js';
import { isUpdatable } from '../stored-write.js';
import { shortened } from '../../../text/shortened.js';

/** One object that an upgrade breaks, described without its values. */
export interface StoredExample {
  /** `namespace/name`, or the name alone. */
  readonly name: string;
  readonly version: string;
  /** `spec.size: Invalid value: must be positive`, one for each refusal, the first few. */
  readonly problems: readonly string[];
  /** Whether an update that leaves the refused fields as they are still passes. */
  readonly updatable: boolean;
  /** It can be created anew: only its status is refused, which a create drops. */
  readonly isCreatable?: true;
}

/** An object that comes to harm, and which. */
export interface HarmedObject extends StoredExample {
  /** `breaking`: refused; `data-loss`: accepted without some of its fields. */
  readonly effect: 'breaking' | 'data-loss';
}

export interface StoredTally {
  readonly checked: number;
  /** Accepted, with all of their fields. */
  readonly fine: number;
  /** Accepted by the old schema, refused by the new one on create. */
  readonly refused: number;
  /** How many of these can still be updated if the refused fields stay unchanged. */
  readonly updatable: number;
  /** How many of these can also be created anew, for only their status is refused. */
  readonly creatable: number;
  /** Refused by the old schema already: not this upgrade's fault. */
  readonly refusedBefore: number;
  /** The new schema drops some of their fields, be it with the next update that it accepts. */
  readonly pruned: number;
  /** A rule could not be evaluated. */
  readonly undecided: number;
  readonly examples: readonly StoredExample[];
  readonly prunedExamples: readonly StoredExample[];
  /** Field managers that wrote them in versions that are removed; left out where none is removed. */
  readonly writers?: readonly Writer[];
}

export const emptyTally: StoredTally = {
  checked: 0,
  fine: 0,
  refused: 0,
  updatable: 0,
  creatable: 0,
  refusedBefore: 0,
  pruned: 0,
  undecided: 0,
  examples: [],
  prunedExamples: [],
};

export interface StoredValidators {
  /** For the version in which the objects were listed, by the old definition. */
  readonly old: ObjectValidator;
  /** For each version of the new definition in which they must be valid. */
  readonly next: readonly ObjectValidator[];
  /** For the version of the new definition in which they will be stored, though nothing validates them in it. */
  readonly storedAs?: ObjectValidator | undefined;
}

export interface StoredUpgrade {
  /** Versions that go, as `example.com/v1beta1`. */
  readonly leaving?: ReadonlySet<string>;
  readonly isTaken?: boolean;
}

type Pruned = Map<ObjectValidator, JsonObject>;

/** Each such object uses up all steps that a judgement may take; after these, the rest is not evaluated. */
const maxExhausting = 50;
const keptExamples = 20;
const keptProblems = 3;

/** Judges objects one at a time, so that a stream of them needs no memory. */
export class StoredJudge {
  private tally: StoredTally = emptyTally;
  private exhausting = 0;

  private readonly leaving: ReadonlySet<string>;
  private readonly isTaken: boolean;

  constructor(
    private readonly validators: StoredValidators,
    { leaving = new Set(), isTaken = false }: StoredUpgrade = {},
  ) {
    this.leaving = leaving;
    this.isTaken = isTaken;
  }

  get result(): StoredTally {
    return this.tally;
  }

  judge(object: JsonValue): HarmedObject | undefined {
    const { writers = [] } = this.tally;
    const seen = {
      ...this.tally,
      ...(this.leaving.size === 0 ? {} : { writers: withWriters(writers, object, this.leaving) }),
      checked: this.tally.checked + 1,
    };
    const verdict = this.look(object);
    switch (verdict.kind) {
      case 'refused':
        seen.refused++;
        if (verdict.example.updatable) seen.updatable++;
        if (verdict.example.isCreatable === true) seen.creatable++;
        if (seen.refused <= keptExamples) seen.examples = [...seen.examples, verdict.example];
        break;
      case 'refusedBefore':
        seen.refusedBefore++;
        break;
      case 'undecided':
        seen.undecided++;
        break;
      case 'accepted':
    }
    const lossy =
      verdict.kind === 'refusedBefore' ? undefined : this.lossOf(object, verdict.pruned);
    if (lossy !== undefined) {
      seen.pruned++;
      if (seen.pruned <= keptExamples) seen.prunedExamples = [...seen.prunedExamples, lossy];
    } else if (verdict.kind === 'accepted') seen.fine++;
    this.tally = seen;
    if (verdict.kind === 'refused') return { effect: 'breaking', ...verdict.example };
    return lossy && { effect: 'data-loss', ...lossy };
  }

  /** @param pruned the object as some of the validators have it already */
  private lossOf(given: JsonValue, pruned: Pruned): StoredExample | undefined {
    const { old, next, storedAs } = this.validators;
    if (this.exhausting >= maxExhausting) return undefined;
    const object = this.inScope(given);
    for (const validator of storedAs === undefined ? next : [...next, storedAs]) {
      const lost = lostPaths(object, old, validator, pruned.get(validator));
      if (lost.length > 0) return this.example(given, validator, lost, kept);
    }
    return undefined;
  }

  private inScope(given: JsonValue): JsonValue {
    const { namespaced } = this.validators.old.definition;
    return isObject(given) ? setNamespaceByScope(given, namespaced) : given;
  }

  private look(
    given: JsonValue,
  ): (
    | { readonly kind: 'accepted' | 'refusedBefore' | 'undecided' }
    | { readonly kind: 'refused'; readonly example: StoredExample }
  ) & { readonly pruned: Pruned } {
    const { old, next } = this.validators;
    const pruned: Pruned = new Map();
    if (this.exhausting >= maxExhausting) return { kind: 'undecided', pruned };
    const object = this.inScope(given);
    let undecided = false;
    for (const validator of next) {
      const seen = asVersion(object, validator.definition);
      const { result: created, prepared } = validator.create(seen);
      if (prepared !== undefined) pruned.set(validator, prepared.pruned);
      if (created.valid === true) continue;
      // Validated last: nearly every object is fine, and needs no second validation.
      const before = old.validateCreate(object);
      const held = ofCompiledRules(before);
      if (held.valid === false) return { kind: 'refusedBefore', pruned };
      // Where the API server has a rule that does not compile here, the new definition may well have it.
      const isCompiled = this.isTaken || held !== before;
      const judged = isCompiled ? ofCompiledRules(created) : created;
      if (judged.valid !== false) {
        if (ranOutOfSteps(judged)) this.exhausting++;
        undecided = true;
        continue;
      }
      const isCreatable = isObject(seen) && validator.post(seen).result.valid === true;
      const writes = {
        updatable: isObject(seen) && isUpdatable(validator, seen),
        ...(isCreatable ? { isCreatable } : {}),
      };
      const problems = problemsOf(judged.errors);
      const example = this.example(given, validator, problems, writes);
      return { kind: 'refused', example, pruned };
    }
    return { kind: undecided ? 'undecided' : 'accepted', pruned };
  }

  private example(
    object: JsonValue,
    { definition: { version } }: ObjectValidator,
    problems: readonly string[],
    writes: Pick<StoredExample, 'updatable' | 'isCreatable'>,
  ): StoredExample {
    const more = problems.length - keptProblems;
    return {
      name: nameOf(object),
      version,
      problems: more > 0 ? [...problems.slice(0, keptProblems), `and ${more} more`] : [...problems],
      ...writes,
    };
  }
}

/** Writes of an object that is accepted without some of its fields. */
const kept = { updatable: true } as const;

export function addTallies(left: StoredTally, right: StoredTally): StoredTally {
  return {
    checked: left.checked + right.checked,
    fine: left.fine + right.fine,
    refused: left.refused + right.refused,
    updatable: left.updatable + right.updatable,
    creatable: left.creatable + right.creatable,
    refusedBefore: left.refusedBefore + right.refusedBefore,
    pruned: left.pruned + right.pruned,
    undecided: left.undecided + right.undecided,
    examples: [...left.examples, ...right.examples].slice(0, keptExamples),
    prunedExamples: [...left.prunedExamples, ...right.prunedExamples].slice(0, keptExamples),
    ...(left.writers === undefined && right.writers === undefined
      ? {}
      : { writers: addWriters(left.writers ?? [], right.writers ?? []) }),
  };
}

/** As conversion strategy None does it: another apiVersion on the same fields. */
function asVersion(
  object: JsonValue,
  { group, version, kind }: ObjectValidator['definition'],
): JsonValue {
  if (!isObject(object)) return object;
  const apiVersion = `${group}/${version}`;
  if (own(object, 'apiVersion') === apiVersion && own(object, 'kind') === kind) return object;
  return { ...object, apiVersion, kind };
}

/**
 * A manifest mostly leaves its namespace to the client that applies it. For a cluster-scoped kind
 * the API server clears it: kustomize and Flux set one on every custom resource.
 *
 * Source: k8s.io/apiserver pkg/registry/rest/meta.go (EnsureObjectNamespaceMatchesRequestNamespace).
 */
export function setNamespaceByScope(object: JsonObject, isNamespaced: boolean): JsonObject {
  const isSet = metaOf(object).namespace !== '';
  return isSet === isNamespaced ? object : inNamespace(object, isNamespaced ? 'default' : '');
}

// The names of field.Error's types. The detail may quote the value; the type never does.
export const errorTypeWords: Readonly<Record<FieldErrorType, string>> = {
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value (type)',
  FieldValueRequired: 'Required value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooFew: 'Too few',
  FieldValueTooMany: 'Too many',
  FieldValueDuplicate: 'Duplicate value',
  InternalError: 'Internal error',
  BadRequest: 'cannot be decoded',
};

function problemsOf(errors: readonly FieldError[]): string[] {
  const named = errors.filter(({ field }) => field !== '<nil>' && field !== '');
  const relevant = named.length > 0 ? named : errors;
  return [
    ...new Set(
      relevant.map(({ field, type, withoutValues = '' }) => {
        const brief = `${field === '' ? '<nil>' : field}: ${errorTypeWords[type]}`;
        const text = shortened(withoutValues.replaceAll(/\s+/g, ' '), longestText);
        return text === '' ? brief : `${brief}: ${text}`;
      }),
    ),
  ];
}

/** Characters of a rule or its message, as the definition's author wrote it. */
const longestText = 300;

const brief = new RegExp(
  `^.*?: (?:${Object.values(errorTypeWords)
    .map((word) => word.replaceAll(/[()]/g, String.raw`\$&`))
    .join('|')})(?=: )`,
);

/** A problem without the definition's own text about it: `spec.size: Invalid value`. */
export function withoutText(problem: string): string {
  return brief.exec(problem)?.[0] ?? problem;
}

/** Paths of what the new schema drops; the API server has dropped what the old one does not know. */
function lostPaths(
  object: JsonValue,
  old: ObjectValidator,
  validator: ObjectValidator,
  pruned = validator.prune(asVersion(object, validator.definition)),
): string[] {
  return lostBetween(object, pruned, old.definition.schema).map((path) => `${path}: dropped`);
}

interface Compared {
  readonly before: JsonValue;
  readonly after: JsonValue | undefined;
  readonly path: string;
  /** The schema by which it was stored; undefined where that has no such field. */
  readonly node: SchemaNode | undefined;
  readonly isMapKey?: boolean;
}

/** Values may nest as deep as memory allows; paths come in the order of the object. */
export function lostBetween(before: JsonValue, after: JsonValue, node: SchemaNode): string[] {
  const lost: string[] = [];
  const open: Compared[] = [{ before, after, path: '', node }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { path } = at;
    if (at.before === at.after) continue;
    if (at.after === undefined) {
      // A field whose null is dropped is a field left out; a map loses the key that was in it.
      if (at.before !== null || at.node === undefined || at.isMapKey === true) lost.push(path);
    } else if (Array.isArray(at.before)) {
      if (!Array.isArray(at.after)) continue;
      for (let index = at.before.length - 1; index >= 0; index--) {
        const item = at.before[index] as JsonValue;
        const inner = { node: at.node?.items, path: `${path}[${index}]` };
        open.push({ before: item, after: at.after[index], ...inner });
      }
    } else if (isObject(at.before) && isObject(at.after)) {
      for (const key of Object.keys(at.before).reverse()) {
        // Decoding rewrites the metadata; no schema does.
        if (path === '' && key === 'metadata') continue;
        const declared = at.node?.properties?.get(key);
        open.push({
          before: own(at.before, key) ?? null,
          after: own(at.after, key),
          path: path === '' ? key : `${path}.${key}`,
          node: declared ?? at.node?.additionalProperties?.schema,
          isMapKey: declared === undefined,
        });
      }
    }
  }
  return lost;
}

function nameOf(object: JsonValue): string {
  const { key, name, namespace } = metaOf(object);
  return namespace === '' ? name : key;
}
