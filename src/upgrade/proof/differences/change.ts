/** Which part of a schema a difference is about, so that it can be taken back, or made alone. */
import {
  readSchema,
  type SchemaKeywords,
  type SchemaNode,
  type ValidationRule,
} from '../../../kubernetes/index.js';
import { Draft } from '../draft.js';
import type { Budget } from '../budget.js';
import { type Place, stepsTo } from '../pin.js';
import { anything, fieldOf, otherFieldsOf } from '../shape.js';

/** Makes its part in the draft what it is in the source. */
export type Exchange = (draft: Draft, source: SchemaNode) => void;

export interface Change {
  /** The schema that is another one; for a field that comes or goes the one around it. */
  readonly at: Place | undefined;
  readonly exchange: Exchange;
  /** Nothing in the schemas: what is beside them in the definition. */
  readonly beside?: 'scale' | 'status' | 'preserveUnknownFields';
  /** The change looks at what other differences make of a value: taking it back is to leave it out. */
  readonly isConsequence?: boolean;
}

/** The scale subresource is beside the schema. */
export const scaleChange: Change = { at: undefined, beside: 'scale', exchange: () => undefined };

/** The scale subresource is the same, and refuses what other differences make of a value. */
export const withoutScale: Change = { ...scaleChange, isConsequence: true };

export const statusChange: Change = { ...scaleChange, beside: 'status' };

export const unknownFieldsChange: Change = {
  at: undefined,
  beside: 'preserveUnknownFields',
  exchange: () => undefined,
};

const whole: Exchange = (draft, source) => {
  draft.replace(source);
};

/** All that a node says, and that it must be there where a default of it makes that harmless. */
export function wholeAt(place: Place | undefined): Change {
  if (place?.step.kind !== 'property') return { at: place, exchange: whole };
  const { name } = place.step;
  return {
    at: place.parent,
    exchange: (draft, source) => {
      const [mine, other] = [draft.fieldOf(name), source.properties?.get(name)];
      draft.setField(name, other);
      if (mine?.default !== undefined || other?.default !== undefined) {
        draft.require(name, source.requires(name));
      }
    },
  };
}

const known = new Map<string, Exchange>();

/** One for all differences in the same keywords: there may be a hundred thousand. */
export function keywords(...names: readonly (keyof SchemaKeywords)[]): Exchange {
  const key = names.join();
  let exchange = known.get(key);
  if (exchange === undefined) {
    exchange = (draft, source) => {
      for (const name of names) draft.set(name, source[name]);
    };
    known.set(key, exchange);
  }
  return exchange;
}

/** How fields are treated that are not declared. */
export const openness = keywords('preserveUnknownFields', 'additionalProperties');

export function field(name: string): Exchange {
  return (draft, source) => {
    draft.setField(name, source.properties?.get(name));
  };
}

export function inField(name: string, exchange: Exchange): Exchange {
  return (draft, source) => {
    const [node, other] = [draft.fieldOf(name), fieldOf(source, name)];
    if (node === undefined || other === undefined) return;
    const inner = new Draft(node);
    exchange(inner, other);
    draft.setField(name, inner.finish());
  };
}

/** Whether a field is required, and what takes its place where it is absent. */
export function requirement(name: string): Exchange {
  return (draft, source) => {
    draft.require(name, source.requires(name));
    inField(name, keywords('default'))(draft, source);
  };
}

export function rule(made: ValidationRule): Exchange {
  return (draft, source) => {
    const mine = source.rules.filter((each) => isSame(each, made));
    draft.set('rules', [...draft.rules.filter((each) => !isSame(each, made)), ...mine]);
  };
}

const nothing = readSchema({}, '$');

export function without(name: keyof SchemaKeywords): Exchange {
  return (draft) => {
    draft.set(name, nothing[name]);
  };
}

export function withoutRule(known: ValidationRule): Exchange {
  return (draft) => {
    draft.set(
      'rules',
      draft.rules.filter((each) => !isSame(each, known)),
    );
  };
}

function isSame(left: ValidationRule, right: ValidationRule): boolean {
  return left.rule === right.rule && left.optionalOldSelf === right.optionalOldSelf;
}

export function inTurn(...exchanges: readonly Exchange[]): Exchange {
  return (draft, source) => {
    for (const exchange of exchanges) exchange(draft, source);
  };
}

interface Branch {
  readonly changes: Change[];
  readonly fields: Map<string, Branch>;
  others?: Branch;
  items?: Branch;
}

/** Changes that are inside others come first. */
export function exchanged(
  target: SchemaNode,
  source: SchemaNode,
  changes: readonly Change[],
  budget: Budget,
): SchemaNode {
  const root: Branch = { changes: [], fields: new Map() };
  for (const change of changes) branchAt(root, change.at).changes.push(change);
  return rebuilt(target, source, root, budget);
}

function branchAt(root: Branch, place: Place | undefined): Branch {
  let branch = root;
  for (const step of stepsTo(place)) {
    const made: Branch = { changes: [], fields: new Map() };
    if (step.kind === 'item') branch = branch.items ??= made;
    else if (step.kind === 'key') branch = branch.others ??= made;
    else {
      const known: Branch = branch.fields.get(step.name) ?? made;
      branch.fields.set(step.name, known);
      branch = known;
    }
  }
  return branch;
}

/** Cost of each field beside the one that changes: it is only copied by reference. */
const costOfNeighbour = 1 / 20;

function rebuilt(
  target: SchemaNode,
  source: SchemaNode,
  branch: Branch,
  budget: Budget,
): SchemaNode {
  budget.spend(1 + Math.ceil((target.properties?.size ?? 0) * costOfNeighbour));
  const draft = new Draft(target);
  for (const [name, inner] of branch.fields) {
    const [mine, other] = [fieldOf(target, name), fieldOf(source, name)];
    if (mine === undefined || other === undefined) continue;
    draft.setField(name, rebuilt(mine, other, inner, budget));
  }
  if (branch.others !== undefined) {
    const [mine, other] = [otherFieldsOf(target), otherFieldsOf(source)];
    if (mine !== undefined && other !== undefined) {
      const schema = rebuilt(mine, other, branch.others, budget);
      draft.set('additionalProperties', { allows: true, schema });
    }
  }
  if (branch.items !== undefined) {
    const [mine, other] = [target.items ?? anything, source.items ?? anything];
    draft.set('items', rebuilt(mine, other, branch.items, budget));
  }
  for (const { exchange } of branch.changes) exchange(draft, source);
  return draft.finish();
}
