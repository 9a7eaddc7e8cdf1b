/** Rollback: what becomes of objects when the old definition takes the place of the new one again. */
import { compileValidator } from '../../../kubernetes/index.js';
import type { CustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { schemaKeys, type Keys } from '../../crd/schema-keys.js';
import {
  type Effect,
  effects,
  type Finding,
  type MessageOf,
  referenceToDefinition,
} from '../../../rule/index.js';
import { proveUpgrade, type ProofResult } from '../../proof/index.js';
import { timeOver } from '../../proof/budget.js';
import { sampleObject } from '../../proof/values/sample-object.js';
import type { UpgradePair } from '../../pair.js';
import {
  InvalidInputError,
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { quote } from '../../../text/go/index.js';
import { exampleObject } from './requests.js';
import { placeOfKeys } from '../../proof/pin.js';
import { rollbackRule } from './rollback.js';

export interface Rollback {
  /** The worst that a rollback does to an object that the new definition accepts. */
  readonly effect: Effect;
  /** `possible`, `possible until an object uses spec.extra`, `not possible: …` */
  readonly message: string;
  readonly results: readonly ProofResult[];
  readonly finding: Finding;
}

/** The way back to the old definition, after objects were written under the new one. @throws InvalidInputError for schemas that cannot be read */
export function judgeRollback(pair: UpgradePair): Rollback {
  const { old, next } = pair;
  if (pair.refusals.findings.length > 0) {
    return report(next, [], { id: 'refused' });
  }
  const { isOver, values } = pair.options;
  const how = { isOver, values, known: pair.known };
  const { results: back } = proveUpgrade(written(old, next), old, how);
  const closed = closedBy(old, next);
  if (closed !== undefined) return report(next, [closed, ...back], never(closed), closed.witness);
  const lost = pair.proof.results.find(({ effect }) => effect === 'data-loss');
  if (lost !== undefined) {
    const dropped: ProofResult = {
      ...lost,
      reason: `the upgrade drops data that a rollback does not restore: ${lost.reason}`,
    };
    return report(next, [dropped, ...back], never(dropped), dropped.witness);
  }
  const harmful = back.filter(({ effect }) => effect === 'breaking' || effect === 'data-loss');
  const filled = filledIn(old, next, harmful, isOver);
  if (filled !== undefined) return report(next, [filled, ...back], never(filled), filled.witness);
  const [worst] = harmful;
  if (worst !== undefined && isOver?.() === true) {
    return report(next, back, { id: 'unknown', data: { reason: timeOver } }, worst.witness);
  }
  if (worst !== undefined) return report(next, back, until(harmful, old, next), worst.witness);
  const open = back.filter(({ effect }) => effect === 'undecided');
  const [first] = open;
  if (first === undefined) return report(next, back, { id: 'possible' });
  const more = open.length === 1 ? '' : `, and ${open.length - 1} more`;
  const where = first.path === '' ? '' : `${spoken(first.path)}: `;
  const data = { reason: `${where}${first.reason}${more}` };
  return report(next, back, { id: 'unknown', data });
}

type Words = MessageOf<typeof rollbackRule.messages>;

function never({ reason }: ProofResult): Words {
  return { id: 'never', data: { reason } };
}

function report(
  { name }: CustomResourceDefinition,
  results: readonly ProofResult[],
  words: Words,
  witness?: JsonValue,
): Rollback {
  const effect = effects.find((each) => results.some((result) => result.effect === each)) ?? 'safe';
  const isHarmless = effect === 'safe' || effect === 'behavior';
  const finding = rollbackRule.finding({
    ...words,
    severity: isHarmless ? 'info' : 'warning',
    object: referenceToDefinition(name),
    witness,
  });
  const { message } = finding;
  return {
    effect,
    message,
    results,
    finding: { ...finding, cause: `${rollbackRule.id} ${message}` },
  };
}

function written(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): CustomResourceDefinition {
  return next.withStoredVersions([...new Set([...storedIn(old), ...storageOf(next)])]);
}

function storedIn(definition: CustomResourceDefinition): readonly string[] {
  return definition.storedVersions.length > 0 ? definition.storedVersions : storageOf(definition);
}

function storageOf({ versions }: CustomResourceDefinition): string[] {
  return versions.filter(({ storage }) => storage).map(({ name }) => name);
}

function closedBy(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): ProofResult | undefined {
  const version = storageOf(next).find((name) => old.version(name) === undefined);
  if (version === undefined) return undefined;
  const object = sampleObject(next.document, version);
  return {
    version,
    path: '',
    effect: 'breaking',
    audience: 'objects',
    reason: `the first write stores an object as ${quote(version)}, and Kubernetes refuses a definition without that version from then on`,
    ...(object === undefined ? {} : { witness: exampleObject(next, version, object) }),
  };
}

const maxFilled = 20;

/** An unmodified object that the old definition refuses with the new defaults in it. */
function filledIn(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  harmful: readonly ProofResult[],
  isOver?: () => boolean,
): ProofResult | undefined {
  const broken = harmful.filter(({ effect, from }) => effect === 'breaking' && from === undefined);
  const validators = new Map<string, SidesOfVersion>();
  for (const { version, path } of broken.slice(0, maxFilled)) {
    const place = placeOfKeys(schemaKeys(old.document, version, path));
    if (place === null) continue;
    // Without a place it is the same object for all of a version.
    for (const at of validators.has(version) ? [place?.parent] : [undefined, place?.parent]) {
      const object = sampleObject(old.document, version, { place: at, isOver });
      if (object === undefined) continue;
      const filled = underBoth(old, next, version, object, validators);
      if (filled === undefined) continue;
      return {
        version,
        path,
        effect: 'breaking',
        audience: 'objects',
        witness: filled.object,
        reason: `the new defaults make unmodified objects invalid under the old definition: ${filled.why}`,
      };
    }
  }
  return undefined;
}

type SidesOfVersion = Readonly<Record<'old' | 'next', ReturnType<typeof compileValidator>>>;

/** @param compiled validators by version, which are compiled here when they are first needed */
function underBoth(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  version: string,
  object: JsonObject,
  compiled: Map<string, SidesOfVersion>,
): { readonly object: JsonObject; readonly why: string } | undefined {
  try {
    const sides = compiled.get(version) ?? {
      old: compileValidator(old.document, version),
      next: compileValidator(next.document, version),
    };
    compiled.set(version, sides);
    if (sides.next.validateCreate(object).valid !== true) return undefined;
    const stored = sides.next.pruneAndDefault(object);
    const verdict = sides.old.validateCreate(stored);
    if (verdict.valid !== false) return undefined;
    const [error] = verdict.errors;
    return { object: stored, why: error === undefined ? '' : `${error.field}: ${error.detail}` };
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const maxNamed = 3;

/** `possible until an object uses spec.extra or spec.mode=c, or leaves out spec.size` */
function until(
  harmful: readonly ProofResult[],
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): Words {
  const [uses, lacks] = [new Set<string>(), new Set<string>()];
  for (const { version, path, witness, reason } of harmful) {
    const keys = schemaKeys(next.document, version, path);
    const object = isObject(witness ?? null) ? (witness as JsonObject) : {};
    const written = isObject(own(object, 'new') ?? null) ? own(object, 'new') : object;
    const value = valueUnder(written ?? {}, keys);
    if (path === '' || path === '^') uses.add(`what the old definition does not take (${reason})`);
    else if (value === undefined) lacks.add(spoken(path));
    else {
      const isKnown = schemaKeys(old.document, version, path).length >= keys.length;
      const text = typeof value === 'object' && value !== null ? '' : stringifyJson(value);
      const isShort = isKnown && text !== '' && text.length <= maxValueLength;
      uses.add(isShort ? `${spoken(path)}=${text.replace(/^"(.+)"$/, '$1')}` : spoken(path));
    }
  }
  const sentences = [
    ...(uses.size === 0 ? [] : [`uses ${listed(uses)}`]),
    ...(lacks.size === 0 ? [] : [`leaves out ${listed(lacks)}`]),
  ];
  return { id: 'until', data: { conditions: sentences.join(', or ') } };
}

const maxValueLength = 30;

function listed(names: ReadonlySet<string>): string {
  const all = [...names];
  const shown = all.slice(0, maxNamed);
  const left = all.length - shown.length;
  if (left > 0) return `${shown.join(', ')} or ${left} more`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

function spoken(path: string): string {
  return path.replace(/^\^\.?/, '');
}

function valueUnder(object: JsonValue, keys: Keys): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (let index = keys.indexOf('openAPIV3Schema') + 1; index < keys.length; index++) {
    const keyword = keys[index];
    if (value === undefined || value === null) return undefined;
    if (keyword === 'items') value = Array.isArray(value) ? value[0] : undefined;
    else if (keyword === 'additionalProperties') {
      value = isObject(value) ? Object.values(value)[0] : undefined;
    } else {
      index += 1;
      value = isObject(value) ? own(value, String(keys[index])) : undefined;
    }
  }
  return value;
}
