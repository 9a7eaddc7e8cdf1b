/**
 * Would the API server accept a write of this custom resource? One validator per version of a
 * definition, compiled once, equal to kube-apiserver 1.35.4 in what it decodes, prunes, defaults
 * and refuses; of other releases, in the formats that their schemas know.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/registry/customresource/{strategy,validator}.go.
 */
import {
  isObject,
  own,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../text/documents/index.js';
import { tooManySteps } from '../../cel/index.js';
import { Correlated, checkNumbers } from './equality.js';
import {
  readDefinition,
  type VersionDefinition,
  accessorError,
  validateScale,
} from './definition.js';
import { validateEmbedded, validateLists } from './extensions.js';
import { BadRequest, fieldOf, invalid, uncheckedRules, type FieldError } from './field-error.js';
import { subdomainName, validateMeta, validateMetaUpdate } from './meta-validation.js';
import { branchesAsked } from './keyword-rules.js';
import { compileSchema, ratcheted, type Release } from './open-api.js';
import { decodeObjectMeta } from './object-meta.js';
import { copy, Defaults, pruneRoot } from './prepare.js';
import { compileRules, type CompiledRuleParts, type NotEvaluated } from './rules/compile-rules.js';
import { distinct, type SchemaError } from './schema-errors.js';
import type { SchemaNode } from './schema.js';
import { append } from '../../text/long-lists.js';
import { sha256 } from '../../text/platform.js';

export interface ObjectResult {
  readonly valid: boolean | null;
  readonly errors: readonly FieldError[];
  readonly notEvaluated?: readonly NotEvaluated[];
}

/** The server of a stored definition has compiled its rules: one that does not compile here says nothing. */
export function ofCompiledRules(result: ObjectResult): ObjectResult {
  if (!result.errors.some(({ isOfDefinition }) => isOfDefinition)) return result;
  const [errors, uncompiled] = [false, true].map((isOfDefinition) =>
    result.errors.filter((error) => (error.isOfDefinition ?? false) === isOfDefinition),
  ) as [FieldError[], FieldError[]];
  const missed = uncompiled.map(({ field, detail }) => ({ field, reason: detail }));
  return outcome(errors, [...(result.notEvaluated ?? []), ...missed]);
}

/** Whether some rule ran to its bound, which costs more than judging thousands of usual objects. */
export function ranOutOfSteps({ notEvaluated }: ObjectResult): boolean {
  return notEvaluated?.some(({ reason }) => reason === tooManySteps) === true;
}

export interface Created {
  readonly result: ObjectResult;
  readonly ruleSteps: number;
  /** Branches of logical operators that were asked about its values. */
  readonly branches: number;
  /** Absent when the object cannot be decoded. */
  readonly prepared?: {
    readonly pruned: JsonObject;
    /** The object as it would be stored: the same one where no default is set. */
    readonly stored: JsonObject;
  };
}

export interface ObjectValidator {
  readonly definition: VersionDefinition;
  readonly schema: SchemaNode;
  validateCreate(object: JsonValue): ObjectResult;
  /** The same, with what it makes of the object. */
  create(object: JsonValue): Created;
  /** The same through the API, which drops the status after defaults are set, if that is a subresource. */
  post(object: JsonValue): Created;
  /**
   * `old` is stored. @param isRatcheting tolerates errors in unchanged values, as from {@link ratchetingSince} on
   */
  validateUpdate(object: JsonValue, old: JsonValue, isRatcheting?: boolean): ObjectResult;
  /** An update of the status subresource, which looks at the status and at rules alone. */
  validateStatus(object: JsonValue, old: JsonValue): ObjectResult;
  /** Decoded, pruned, defaulted. @throws BadRequest when it cannot be decoded */
  pruneAndDefault(object: JsonValue): JsonObject;
  /** The object as it would be judged before defaults are set. @throws BadRequest */
  prune(object: JsonValue): JsonObject;
}

export function compileValidator(
  crd: JsonObject,
  version: string,
  release?: Release,
): ObjectValidator {
  return compileDefinition(readDefinition(crd, version), undefined, release);
}

/** Bounds the steps that the rules of all writes take together. */
export interface RuleBudget {
  readonly stepsLeft: number;
  spendSteps(steps: number): void;
}

/** @param budget rules beyond it are not evaluated */
export function compileDefinition(
  definition: VersionDefinition,
  budget?: RuleBudget,
  release = definition.release,
): ObjectValidator {
  return new CompiledValidator(definition, release, budget);
}

// Rules that were compiled already: schemas made from one another share most of their parts.
const compiledRules: CompiledRuleParts = new WeakMap();

/** The first minor that tolerates, without being asked to, what is refused in values that stay. */
export const ratchetingSince = '1.30';

// OpenAPI errors after which CEL is not run: the values would not have the types it was compiled for.
const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const outsideSpec = /^(apiVersion|kind|metadata|status)\b/;

class CompiledValidator implements ObjectValidator {
  readonly schema: SchemaNode;
  private readonly check;
  private readonly defaults;
  private readonly rules;
  private ruleSteps = 0;

  constructor(
    readonly definition: VersionDefinition,
    private readonly release: Release | undefined,
    private readonly budget: RuleBudget | undefined,
  ) {
    this.schema = definition.schema;
    this.check = compileSchema(this.schema, release);
    this.defaults = new Defaults(this.schema);
    this.rules = compileRules(this.schema, true, undefined, compiledRules);
  }

  prune(object: JsonValue): JsonObject {
    if (!isObject(object)) {
      throw new BadRequest('the object provided is not an object');
    }
    checkNumbers(object);
    const kind = textField(object, 'kind');
    const apiVersion = textField(object, 'apiVersion');
    const metadata = own(object, 'metadata');
    const meta = metadata === undefined ? undefined : decodeObjectMeta(metadata);
    const isKept = this.definition.preserveUnknownFields || !this.isOfKind(object);
    const pruned = isKept ? object : pruneRoot(object, this.schema);
    const result = copy(pruned);
    for (const [key, value] of Object.entries({ kind, apiVersion, metadata: meta }))
      if (value !== undefined) result[key] = value;
    return result;
  }

  pruneAndDefault(object: JsonValue): JsonObject {
    return this.withDefaults(this.prune(object));
  }

  private withDefaults(pruned: JsonObject): JsonObject {
    return this.isOfKind(pruned) ? this.defaults.apply(pruned) : pruned;
  }

  /** An object of another kind, or group, is neither pruned nor given defaults; versions do not count. */
  private isOfKind(object: JsonObject): boolean {
    const { group, kind } = this.definition;
    const given = own(object, 'apiVersion');
    return (
      own(object, 'kind') === kind && typeof given === 'string' && given.split('/')[0] === group
    );
  }

  validateCreate(object: JsonValue): ObjectResult {
    return this.create(object).result;
  }

  create(object: JsonValue): Created {
    return this.created(object, (stored) => stored);
  }

  post(object: JsonValue): Created {
    return this.created(object, (stored) => {
      const drops = this.definition.hasStatus && own(stored, 'status') !== undefined;
      return drops ? withoutStatus(stored) : stored;
    });
  }

  private created(object: JsonValue, accept: (stored: JsonObject) => JsonObject): Created {
    let prepared: Created['prepared'];
    this.ruleSteps = 0;
    const asked = branchesAsked();
    const result = this.judge(() => {
      const pruned = this.prune(object);
      prepared = { pruned, stored: accept(this.withDefaults(pruned)) };
      return this.validate(prepared.stored, undefined);
    });
    const cost = { ruleSteps: this.ruleSteps, branches: branchesAsked() - asked };
    return prepared === undefined ? { result, ...cost } : { result, ...cost, prepared };
  }

  validateUpdate(object: JsonValue, old: JsonValue, isRatcheting = true): ObjectResult {
    return this.judge(() => {
      const prepared = this.pruneAndDefault(object);
      return this.validate(prepared, this.prepareOld(old), isRatcheting);
    });
  }

  validateStatus(object: JsonValue, old: JsonValue): ObjectResult {
    return this.judge(() => {
      const status = own(this.pruneAndDefault(object), 'status');
      const before = this.prepareOld(old);
      const kept = withoutStatus(before);
      return this.validate(status === undefined ? kept : { ...kept, status }, before, true, true);
    });
  }

  private prepareOld(old: JsonValue): JsonObject {
    try {
      return this.definition.isConverted ? this.prune(old) : this.pruneAndDefault(old);
    } catch (error) {
      if (error instanceof BadRequest) throw new BadRequest(`old: ${error.message}`);
      throw error;
    }
  }

  private judge(run: () => ObjectResult): ObjectResult {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      return { valid: false, errors: [{ type: 'BadRequest', field: '', detail: error.message }] };
    }
  }

  private validate(
    object: JsonObject,
    old: JsonObject | undefined,
    isRatcheting = true,
    isOfStatus = false,
  ): ObjectResult {
    const correlated =
      old === undefined || !isRatcheting ? undefined : new Correlated(object, old, this.schema);
    const found: FieldError[] = this.validateTypeMeta(object);
    if (found.length === 0) this.validateValue(object, old, correlated, found);
    const errors = isOfStatus ? found.filter((each) => outsideSpec.test(fieldOf(each))) : found;
    if (!isOfStatus && this.schema.holds('embedded'))
      validateEmbedded(object, this.schema, '', errors);
    if (this.schema.holds('listTypes')) this.validateListTypes(object, old, errors);
    if (this.rules === undefined) return outcome(errors, []);
    if (errors.some((error) => blocking.has(error.type))) {
      errors.push(uncheckedRules);
      return outcome(errors, []);
    }
    const most = this.budget?.stepsLeft;
    const evaluated = this.rules.evaluate(object, old, correlated, { most });
    this.ruleSteps += evaluated.steps;
    this.budget?.spendSteps(evaluated.steps);
    append(errors, evaluated.errors);
    return outcome(errors, evaluated.notEvaluated);
  }

  private validateTypeMeta(object: JsonObject): FieldError[] {
    const { group, version, kind } = this.definition;
    const errors: FieldError[] = [];
    const apiVersion = `${group}/${version}`;
    const given = own(object, 'apiVersion');
    // Kind and version are read together: a version that cannot be parsed hides the kind.
    const isParsed = typeof given !== 'string' || given.split('/').length <= 2;
    if (!isParsed || own(object, 'kind') !== kind) errors.push(invalid('kind', `must be ${kind}`));
    if (given !== apiVersion) {
      errors.push(invalid('apiVersion', `must be ${apiVersion}`));
    }
    return errors;
  }

  private validateValue(
    object: JsonObject,
    old: JsonObject | undefined,
    correlated: Correlated | undefined,
    errors: FieldError[],
  ): void {
    const meta = metaOf(object);
    append(
      errors,
      old === undefined
        ? validateMeta(meta, this.definition.namespaced, subdomainName, 'metadata')
        : validateMetaUpdate(meta, metaOf(old), 'metadata'),
    );
    const found: SchemaError[] = [];
    ratcheted(this.check, object, '', found, correlated);
    if (found.length > 0) append(errors, distinct(found, this.release === '1.38'));
    if (this.definition.scale !== undefined) {
      append(errors, validateScale(object, this.definition.scale));
    }
  }

  /** Lists that were not unique before may stay so. */
  private validateListTypes(
    object: JsonObject,
    old: JsonObject | undefined,
    errors: FieldError[],
  ): void {
    if (old !== undefined) {
      const before: FieldError[] = [];
      validateLists(old, this.schema, '', before);
      if (before.length > 0) return;
    }
    validateLists(object, this.schema, '', errors);
  }
}

function outcome(errors: readonly FieldError[], missed: readonly NotEvaluated[]): ObjectResult {
  if (missed.length === 0) return { valid: errors.length === 0, errors };
  return { valid: errors.length === 0 ? null : false, errors, notEvaluated: missed };
}

function textField(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  if (value === undefined || typeof value === 'string') return value;
  throw new BadRequest(accessorError(key, value, 'string'));
}

function withoutStatus(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'status'));
}

function metaOf(object: JsonObject): JsonObject {
  const metadata = own(object, 'metadata');
  return isObject(metadata) ? metadata : {};
}

// Compiled validators by the content of what they were compiled from.

const maxEntries = 100;
const maxBytes = 64 * 1024 * 1024;

/** Least recently used first; bounded by count and by the size of the definitions behind. */
export class ValidatorCache {
  private readonly entries = new Map<string, { validator: ObjectValidator; bytes: number }>();
  private readonly contents = new WeakMap<JsonObject, { hash: string; bytes: number }>();
  private bytes = 0;

  /** @throws InvalidInputError as {@link compileValidator} does. */
  get(crd: JsonObject, version: string, release?: Release): ObjectValidator {
    const { hash, bytes } = this.contentOf(crd);
    const key = `${version}\0${release ?? ''}\0${hash}`;
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.validator;
    }
    const validator = compileValidator(crd, version, release);
    this.entries.set(key, { validator, bytes });
    this.bytes += bytes;
    this.shrink();
    return validator;
  }

  private contentOf(crd: JsonObject): { readonly hash: string; readonly bytes: number } {
    let content = this.contents.get(crd);
    if (content === undefined) {
      const text = stringifyJson(crd.spec ?? null);
      const hash = sha256(text).toString('base64');
      content = { hash, bytes: text.length };
      this.contents.set(crd, content);
    }
    return content;
  }

  private shrink(): void {
    for (const [key, entry] of this.entries) {
      if (this.entries.size <= maxEntries && this.bytes <= maxBytes) return;
      if (this.entries.size === 1) return;
      this.entries.delete(key);
      this.bytes -= entry.bytes;
    }
  }
}
