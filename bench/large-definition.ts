/** A definition as large as the number of its fields asks for, and objects of it, for measurements. */
import { exampleOfSpec } from '../src/upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../src/text/documents/index.js';

/**
 * A large definition: `fields` objects of seven typed fields each.
 *
 * @param minimum of a number in each of the first `bounded` ones; 0 in the others
 */
export function definition(fields: number, minimum: number, bounded = fields): object {
  const section = (least: number): JsonObject => ({
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' },
      replicas: { type: 'integer', format: 'int32', minimum: least },
      mode: { type: 'string', enum: ['Fast', 'Slow'] },
      port: {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
      },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      description: {
        type: 'string',
        description: 'what a reader of the documents is told '.repeat(4),
      },
    },
  });
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [
      `section${index}`,
      section(index < bounded ? minimum : 0),
    ]),
  );
  return {
    ...exampleOfSpec({ type: 'object', properties }),
    metadata: { name: 'widgets.example.com', uid: 'bench' },
    status: { storedVersions: ['v1'] },
  };
}

/** An object of about 3 KB, in namespace `bench`. */
export function widget(index: number): object {
  const section = (number: number): object => ({
    name: `name-${index}-${number}`,
    replicas: index % 1000,
    mode: index % 2 === 0 ? 'Fast' : 'Slow',
    port: index % 3 === 0 ? 80 : 'http',
    labels: { app: 'widget', tier: `t${number}` },
    tags: ['a', 'b', `c${number}`],
    description: 'x'.repeat(100),
  });
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: `w${index}`, namespace: 'bench' },
    spec: Object.fromEntries(
      Array.from({ length: 11 }, (_, number) => [`section${number * 7}`, section(number)]),
    ),
  };
}
