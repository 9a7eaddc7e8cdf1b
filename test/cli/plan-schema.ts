/** What `plan -o json` tells, as schemas/plan.schema.json has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { root } from './command.js';

const file = join(root, 'schemas', 'plan.schema.json');
export const planSchema = JSON.parse(readFileSync(file, 'utf8')) as {
  $defs: { Finding: { properties: { family: { enum: string[] } } } };
};
const ajv = new Ajv2020();
export const isPlan = ajv.compile(planSchema);

/** @throws Error that says what the schema does not have */
export function demandPlan(told: unknown): void {
  if (!isPlan(told)) throw new Error(`not in ${file}: ${ajv.errorsText(isPlan.errors)}`);
}
