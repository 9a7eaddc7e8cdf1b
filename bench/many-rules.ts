/** A definition of half a megabyte, and what it costs to ask the servers of all known minors about it. */
import { judgeDefinition } from '../src/kubernetes/definition/testing/judge-definition.js';
import { knownMinors } from '../src/kubernetes/definition/minors.js';
import { exampleOfSpec } from '../src/upgrade/rules/crd/example-definition.js';
import { parseJson, stringifyJson, type JsonObject } from '../src/text/documents/index.js';

export const rules = 200;
const bytes = 500_000;

/** With a rule in each of its parts. */
export function largeDefinition(): string {
  const description = 'x'.repeat(Math.floor(bytes / rules) - 600);
  const part = (index: number): JsonObject => ({
    type: 'object',
    description,
    properties: {
      name: { type: 'string', maxLength: 63 },
      ports: { type: 'array', maxItems: 16, items: { type: 'integer', minimum: 1 } },
      labels: { type: 'object', maxProperties: 16, additionalProperties: { type: 'string', maxLength: 63 } }, // prettier-ignore
    },
    'x-kubernetes-validations': [
      {
        rule: `!has(self.ports) || self.ports.all(p, p > ${index} || self.name.startsWith('p${index}'))`,
        message: `ports of part ${index}`,
      },
    ],
  });
  const parts = Array.from({ length: rules }, (_, index) => [`part${index}`, part(index)] as const);
  return stringifyJson(exampleOfSpec({ type: 'object', properties: Object.fromEntries(parts) }));
}

/** Milliseconds of processor time. */
export function cost(measure: () => void): number {
  const start = process.cpuUsage();
  measure();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Of a definition that was never seen before. */
export function costOfLarge(text: string): number {
  const definition = parseJson(text) as JsonObject;
  return cost(() => {
    const refused = judgeDefinition(definition, undefined, knownMinors);
    if (refused.length > 0) throw new Error(refused[0]?.message);
  });
}
