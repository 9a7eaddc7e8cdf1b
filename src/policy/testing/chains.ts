/** Steps of random chains of updates, and whether the default policy allows one. */
import { own, type JsonObject } from '../../text/documents/index.js';
import { Judge, upgradeRuleNamed } from '../../upgrade/index.js';
import type { Dice } from '../../upgrade/proof/testing/dice.js';
import { object } from '../../upgrade/rules/crd/testing/definition.js';
import { decide } from '../decide.js';
import { defaultPolicy } from '../policy.js';

export const open = 'x-kubernetes-preserve-unknown-fields';
const text = { type: 'string' };
const integer = { type: 'integer' };
const judge = Judge.for(defaultPolicy);
const now = new Date('2026-06-01T00:00:00Z');

export function isUpdateAllowed(old: JsonObject, next: JsonObject): boolean {
  const { findings } = judge.upgrade(old, next);
  const request = { subject: { groups: [], name: '' }, ruleNamed: upgradeRuleNamed };
  return decide(findings, defaultPolicy, request, now).allowed;
}

/** A field, as one of the schemas of a chain has it. */
export const chainFields: readonly JsonObject[] = [
  text,
  integer,
  { type: 'string', maxLength: 2 },
  { type: 'string', default: 'a' },
  { type: 'string', nullable: true },
  object({ d: text, e: integer }),
  object({ d: text }),
  object({ d: text }, { required: ['d'] }),
  object({ d: integer }, { [open]: true }),
  { type: 'object', [open]: true },
  { type: 'object', additionalProperties: text },
  { type: 'array', items: text },
  { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  { type: 'array', items: object({ d: text, e: integer }) },
];
export const fieldNames = ['a', 'b', 'c'] as const;

/** Another schema: a field comes, goes or changes, or unknown fields are kept from now on, or no longer. */
export function changedSchema(dice: Dice, spec: JsonObject): JsonObject {
  const properties = { ...(own(spec, 'properties') as JsonObject) };
  const name = dice.pick(fieldNames);
  if (dice.chance(0.3)) {
    const isOpen = own(spec, open) === true;
    return object(properties, isOpen ? {} : { [open]: true });
  }
  if (own(properties, name) !== undefined && dice.chance(0.5)) {
    const left = Object.entries(properties).filter(([each]) => each !== name);
    return { ...spec, properties: Object.fromEntries(left) };
  }
  return { ...spec, properties: { ...properties, [name]: dice.pick(chainFields) } };
}
