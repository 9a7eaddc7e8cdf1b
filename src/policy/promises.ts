/** The promises of an API, as the policy lists them: which entry decides the mode of a finding. */
import {
  isObject,
  metaOf,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../text/documents/index.js';
import { objectAt, textAt } from '../text/documents/fields.js';
import { foundAt, type Finding } from '../rule/index.js';
import {
  changeName,
  formatName,
  frozenChanged,
  isCustomResourceDefinition,
  isRefusedByServer,
  schemaKeys,
  versionsOf,
} from '../upgrade/index.js';
import { isNamed, matches } from './exemptions.js';
import {
  type ApiPromise,
  contractModes,
  type Mode,
  type Policy,
  type PromiseMode,
} from './policy.js';

/** The entry that decides about a finding. */
export interface DecidingPromise {
  readonly mode: Mode;
  /** It names the rule, so it counts as the mode of that rule. */
  readonly isOfRule: boolean;
  /** `promise 2 of the policy (versions v*beta*): deny` */
  readonly name: string;
}

export interface DefinitionChange {
  readonly old?: JsonObject | undefined;
  readonly next?: JsonObject | undefined;
}

export class SubjectPromises {
  readonly #widened: ReadonlySet<string>;
  /** Each pattern of paths is parsed once, and not for each finding. */
  readonly #paths: readonly (readonly (readonly string[])[] | undefined)[];

  /** @param definitions whose old descriptions say what is deprecated */
  constructor(
    private readonly policy: Policy,
    private readonly definitions: readonly DefinitionChange[] = [],
    findings: readonly Finding[] = [],
  ) {
    const widened = findings.filter(({ rule }) => rule === 'TypeWidened');
    this.#widened = new Set(widened.map(placeOf));
    this.#paths = policy.promises.map(({ paths }) => paths?.map(stepsOf));
  }

  /** Nothing for what Kubernetes itself refuses: no promise makes it pass. */
  find(finding: Finding): DecidingPromise | undefined {
    if (this.policy.promises.length === 0 || isRefusedByServer(finding.rule)) return undefined;
    const versions = finding.version?.split(' -> ') ?? [undefined];
    const entries = versions.map((each) =>
      this.policy.promises.findIndex((_promise, index) => this.#covers(index, finding, each)),
    );
    // A version without an entry is decided as everything else is, which only a denial is stricter than.
    const strictest = entries
      .map((index) => ({ index, mode: this.policy.promises[index]?.mode }))
      .sort((one, other) => strictness(other.mode) - strictness(one.mode))[0];
    const promise = this.policy.promises[strictest?.index ?? -1];
    if (strictest === undefined || promise === undefined) return undefined;
    const { mode } = promise;
    const isOfRule = promise.rules !== undefined;
    // A manifest that the definition refuses as it stands is no change.
    const isChange = this.definitions.some(
      ({ old, next }) => old !== undefined && next !== undefined,
    );
    if (finding.family === 'stored-objects' && !isChange && !isOfRule) return undefined;
    // Strict for objects is not strict for columns and readers, unless the entry names their rule.
    if (mode === 'deny' && !isOfRule && contractModes.has(finding.family)) return undefined;
    return {
      mode: mode === 'frozen' ? 'deny' : mode,
      isOfRule,
      name: `promise ${strictest.index + 1} of the policy (${selectorsOf(promise)}): ${promise.mode}`,
    };
  }

  /** Whether an entry freezes the place of the finding, whichever entry decides about it. */
  isFrozen(finding: Finding): boolean {
    return this.policy.promises.some(
      ({ mode }, index) => mode === 'frozen' && this.#covers(index, finding, finding.version),
    );
  }

  #covers(index: number, finding: Finding, version: string | undefined): boolean {
    const promise = this.policy.promises[index];
    if (promise === undefined) return false;
    const { versions, rules, deprecated, branches, mode } = promise;
    const paths = this.#paths[index];
    const { branch } = this.policy;
    const { path, exactPath = path } = finding;
    const isBranch = (pattern: string): boolean =>
      branch !== undefined &&
      // An author who may choose the branch's name must not choose what it excuses.
      (branch.isCertain || mode === 'deny' || mode === 'frozen') &&
      matches(pattern, branch.name);
    return (
      (mode !== 'frozen' || finding.rule === frozenChanged.id) &&
      (branches === undefined || branches.some(isBranch)) &&
      (versions === undefined ||
        (version !== undefined && versions.some((each) => matches(each, version)))) &&
      (rules === undefined || rules.some((name) => this.#isNamed(name, finding))) &&
      (paths === undefined ||
        (exactPath !== undefined &&
          paths.some((steps) => coversPath(steps, stepsOf(exactPath))))) &&
      (deprecated === undefined ||
        (version !== undefined && path !== undefined && this.#isDeprecated(finding, version, path)))
    );
  }

  /** A type that only takes more values is refused by rules of another name too. */
  #isNamed(name: string, finding: Finding): boolean {
    if (isNamed(name, finding)) return true;
    const isOfType = changeName(finding) === 'TypeChanged';
    return name === 'TypeWidened' && isOfType && this.#widened.has(placeOf(finding));
  }

  #isDeprecated({ object }: Finding, version: string, path: string): boolean {
    const { old } =
      this.definitions.length === 1
        ? (this.definitions[0] ?? {})
        : (this.definitions.find((each) => metaOf(each.old ?? {}).name === object?.name) ?? {});
    if (old === undefined) return false;
    let at: JsonValue | undefined = old;
    for (const key of schemaKeys(old, version, path)) {
      if (Array.isArray(at) && typeof key === 'number') at = at[key];
      else at = isObject(at) ? own(at, String(key)) : undefined;
      if (/^\s*deprecated\b/i.test(textAt(at, 'description') ?? '')) return true;
    }
    return false;
  }
}

function placeOf({ version, path }: Finding): string {
  return JSON.stringify([version, path]);
}

function strictness(mode: PromiseMode | undefined): number {
  return ['audit', 'warn', undefined, 'deny', 'frozen'].indexOf(mode);
}

function selectorsOf(promise: ApiPromise): string {
  return Object.entries(promise)
    .filter(([name]) => name !== 'mode')
    .map(([name, values]) =>
      name === 'deprecated' ? name : `${name} ${[values].flat().join(', ')}`,
    )
    .join('; ');
}

/** Whether the pattern is the path or one above it; a step of the pattern is compared with one of the path. */
export function coversPath(pattern: readonly string[], steps: readonly string[]): boolean {
  // The positions in the path up to which the pattern so far may reach.
  let reached = new Set([0]);
  for (const step of pattern) {
    const next = new Set<number>();
    // Everything from the nearest position on: in the order of the path, as all of these are.
    const [nearest = 0] = reached;
    if (step === '**') for (let end = nearest; end <= steps.length; end++) next.add(end);
    else {
      for (const at of reached) {
        if (at < steps.length && matches(step, steps[at] ?? '')) next.add(at + 1);
      }
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return true;
}

/** `spec`, `list`, `[*]` and `a.b` of `^.spec.list[*]["a.b"]`. */
export function stepsOf(path: string): string[] {
  const steps = path.replace(/^\^/, '').match(/\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]|[^.[]+/g) ?? [];
  return steps.map((step) => (step.startsWith('["') ? unquoted(step) : step));
}

function unquoted(step: string): string {
  try {
    return String(JSON.parse(step.slice(1, -1)));
  } catch {
    return step;
  }
}

const mostChanges = 100;

/** Every change but of descriptions at places that the policy freezes; more than a hundred are counted. */
export function frozenFindings(policy: Policy, { old, next }: DefinitionChange): Finding[] {
  if (!policy.promises.some(({ mode }) => mode === 'frozen')) return [];
  const subject = next ?? old;
  if (!isCustomResourceDefinition(subject)) return [];
  const promises = new SubjectPromises(policy, [{ old, next }]);
  const { name } = metaOf(subject);
  const object = { apiVersion: 'apiextensions.k8s.io/v1', kind: subject['kind'] as string, name };
  const found = [...changesOf(old, next)].flatMap(({ id, what, keys, ...place }) => {
    const at = { side: next === undefined ? 'old' : 'new', keys } as const;
    const finding = frozenChanged.finding({
      ...{ ...place, id, data: { what }, object, audience: 'objects', [foundAt]: at },
      cause: `${id} ${what}`,
    });
    return promises.isFrozen(finding) ? [finding] : [];
  });
  if (found.length <= mostChanges) return found;
  // A denial must not be among those that are left out.
  const strict = found
    .map((finding) => ({ finding, rank: strictness(promises.find(finding)?.mode) }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ finding }) => finding);
  const [first] = strict;
  const message = `${first?.message} (and ${found.length - mostChanges} more changes)`;
  return strict.slice(0, mostChanges).map((each) => (each === first ? { ...each, message } : each));
}

interface Change {
  readonly id: 'changed' | 'added' | 'removed';
  readonly what: string;
  readonly version?: string;
  readonly path?: string;
  readonly keys: readonly (string | number)[];
}

function idOf(old: JsonValue | undefined, next: JsonValue | undefined): Change['id'] {
  return old === undefined ? 'added' : next === undefined ? 'removed' : 'changed';
}

function* keysOf(...sides: readonly JsonObject[]): Generator<string> {
  yield* new Set(sides.flatMap((side) => Object.keys(side)));
}

function* changesOf(old: JsonObject | undefined, next: JsonObject | undefined): Generator<Change> {
  if (old === undefined || next === undefined) {
    yield { id: idOf(old, next), what: 'the definition', keys: [] };
    // Each of its versions is removed with it.
    for (const version of versionsOf(old ?? {}).keys()) {
      yield { id: 'removed', what: 'the definition', version, keys: [] };
    }
    return;
  }
  const [before, after] = [objectAt(old, 'spec') ?? {}, objectAt(next, 'spec') ?? {}];
  for (const key of keysOf(before, after)) {
    if (key === 'versions' || sameJson(own(before, key), own(after, key))) continue;
    const id = idOf(own(before, key), own(after, key));
    yield { id, what: `spec.${key}`, keys: ['spec', key] };
  }
  const [were, are] = [versionsOf(old), versionsOf(next)];
  for (const version of new Set([...were.keys(), ...are.keys()])) {
    const [was, is] = [were.get(version), are.get(version)];
    const keys = ['spec', 'versions', [...are.keys()].indexOf(version)];
    if (was === undefined || is === undefined) {
      yield { id: idOf(was, is), what: `version ${version}`, version, keys: keys.slice(0, 2) };
    } else yield* changesOfVersion(version, was, is, keys);
  }
}

function* changesOfVersion(
  version: string,
  was: JsonObject,
  is: JsonObject,
  keys: Change['keys'],
): Generator<Change> {
  for (const key of keysOf(was, is)) {
    const [before, after] = [was, is].map((side) => own(side, key));
    if (key === 'schema') {
      const [old = {}, next = {}] = [before, after].map((side) =>
        objectAt(side, 'openAPIV3Schema'),
      );
      yield* changesOfSchema(version, old, next, [...keys, 'schema', 'openAPIV3Schema']);
    } else if (!sameJson(withoutDescriptions(before), withoutDescriptions(after))) {
      yield { id: idOf(before, after), what: key, version, keys: [...keys, key] };
    }
  }
}

/** Of columns, whose descriptions are words too. */
function withoutDescriptions(value: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(value)) return value;
  return value.map((each) => {
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).filter(([key]) => key !== 'description'));
  });
}

/** Without recursion: schemas may nest as deep as an API server reads. */
function* changesOfSchema(
  version: string,
  old: JsonObject,
  next: JsonObject,
  root: Change['keys'],
): Generator<Change> {
  const open = [{ old, next, path: '^', keys: root }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { path } = at;
    for (const key of keysOf(at.old, at.next)) {
      const [before, after] = [own(at.old, key), own(at.next, key)];
      if (key === 'description') continue;
      const keys = [...at.keys, key];
      // Schemas are compared where they end: comparing the whole of each would cost the square of the depth.
      if (key === 'properties' && (isObject(before) || isObject(after))) {
        const fields = objectAt(at.old, key) ?? {};
        const now = objectAt(at.next, key) ?? {};
        for (const name of keysOf(fields, now)) {
          const [was, is] = [own(fields, name), own(now, name)];
          const field = { path: `${path}.${formatName(name)}`, keys: [...keys, name] };
          if (isObject(was) && isObject(is)) open.push({ old: was, next: is, ...field });
          else if (!sameJson(was, is))
            yield { id: idOf(was, is), what: 'the field', version, ...field };
        }
      } else if (
        (key === 'items' || key === 'additionalProperties') &&
        isObject(before) &&
        isObject(after)
      ) {
        open.push({ old: before, next: after, path: `${path}[*]`, keys });
      } else if (!sameJson(before, after))
        yield { id: idOf(before, after), what: key, version, path, keys };
    }
  }
}
