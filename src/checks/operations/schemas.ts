/** JSON Schemas of inputs and outputs, in short. */
import type { Release } from '../../kubernetes/index.js';

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const integer = { type: 'integer' } as const;
export const optionalText = { type: ['string', 'null'] } as const;
export const optionalFlag = { type: ['boolean', 'null'] } as const;
export const optionalTexts = optionalList(text);

export function record<Properties extends object>(properties: Properties) {
  return { type: 'object', properties };
}

export function requiring<Properties extends object>(
  required: readonly (keyof Properties)[],
  properties: Properties,
) {
  return { type: 'object', required, properties };
}

/** Fields that have one schema. */
export function each<Schema extends object, Name extends string>(
  schema: Schema,
  ...names: readonly Name[]
): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

export function list<Items extends object>(items: Items) {
  return { type: 'array', items };
}

export function optionalList<Items extends object>(items: Items) {
  return { type: ['array', 'null'], items };
}

const releases: readonly Release[] = ['1.33', '1.35', '1.36'];

/** The input by which values are judged as on another Kubernetes than the default. */
export const releaseSchema = {
  enum: releases,
  default: '1.35',
  description:
    'By whose rules values are judged: 1.33 stands for all minors up to it, 1.35 for 1.34 too, 1.36 for all from it on.',
};
