/** Writes schemas/policy.schema.json from the schema that the gate itself uses. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { policySchema } from '../src/policy/schema.js';

const file = new URL('../schemas/policy.schema.json', import.meta.url);
mkdirSync(new URL('.', file), { recursive: true });
writeFileSync(file, `${JSON.stringify(policySchema, null, 2)}\n`);
