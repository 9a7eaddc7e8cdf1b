/** Compiles expressions of rules, once for all schemas that declare the same types. */
import {
  checkExpression,
  type CelType,
  type CheckedExpression,
  compileObserved,
  type Language,
  makeProgram,
  optionalOf,
  type Program,
} from '../../../cel/index.js';
import type { ValidationRule } from '../schema.js';
import { addTo } from '../../../text/group.js';

export interface RuleExpression {
  /** Shared between rules; must not be changed. */
  readonly checked: CheckedExpression;
  /** @throws NoProgram, NotEvaluable */
  readonly program: () => Program;
}

interface Known {
  /** That of the last who asked, which the next one mostly asks with too. */
  type: CelType;
  readonly result: RuleExpression;
  readonly isSameIn: (language: Language) => boolean;
}

/** The size of the cache, in declared types and characters: an author of schemas decides how large they are. */
const maxKept = 100_000;

let kept = 0;
const known = new Map<string, Known[]>();

/** The expression of a rule, or of its message. @param type of `self` @throws as `checkExpression` */
export function compileRuleExpression(
  text: string,
  { optionalOldSelf = false }: Pick<ValidationRule, 'optionalOldSelf'>,
  type: CelType,
  language: Language,
): RuleExpression {
  const key = `${optionalOldSelf} ${text}`;
  const same = known.get(key)?.find((each) => areEqual(each.type, type) && each.isSameIn(language));
  if (same !== undefined) {
    same.type = type;
    return same.result;
  }
  const variables = new Map([
    ['self', type],
    ['oldSelf', optionalOldSelf ? optionalOf(type) : type],
  ]);
  const compiled = compileObserved(language, (observed) => {
    const checked = checkExpression(text, variables, observed);
    return { checked, program: madeProgram(checked, observed) };
  });
  keep(key, { type, ...compiled });
  return compiled.result;
}

function madeProgram(checked: CheckedExpression, language: Language): () => Program {
  try {
    const program = makeProgram(checked, language);
    return () => program;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function keep(key: string, entry: Known): void {
  const size = sizeOf(entry.type) + key.length;
  if (size > maxKept) return;
  if (kept + size > maxKept) {
    known.clear();
    kept = 0;
  }
  kept += size;
  addTo(known, key, entry);
}

function sizeOf({ parameters, fields }: CelType): number {
  let size = 1;
  for (const each of parameters) size += sizeOf(each);
  for (const each of fields?.values() ?? []) size += sizeOf(each);
  return size;
}

/** The last two that were compared and are equal: all rules of a schema are asked about the same two. */
let equal: readonly CelType[] = [];

function areEqual(one: CelType, other: CelType): boolean {
  if (one === equal[0] && other === equal[1]) return true;
  const isEqual = isSame(one, other);
  if (isEqual) equal = [one, other];
  return isEqual;
}

/** Object types of one name can differ in their fields: the name only tells the position in a schema. */
function isSame(one: CelType, other: CelType): boolean {
  if (one === other) return true;
  if (one.kind !== other.kind || one.name !== other.name) return false;
  if (one.parameters.length !== other.parameters.length) return false;
  if (one.fields?.size !== other.fields?.size) return false;
  if (!one.parameters.every((each, index) => isSame(each, other.parameters[index] as CelType))) {
    return false;
  }
  for (const [name, type] of one.fields ?? []) {
    const same = other.fields?.get(name);
    if (same === undefined || !isSame(type, same)) return false;
  }
  return true;
}
