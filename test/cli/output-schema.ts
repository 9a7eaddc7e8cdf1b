/** What commands print with `-o json` is what schemas/ says, whichever test runs them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const folder = join(import.meta.dirname, '..', '..', 'schemas');
// Unions of objects and null are what the types say.
const ajv = new Ajv2020({ allowUnionTypes: true });
const compiled = new Map<string, ValidateFunction>();

/** The file of the command that these arguments run with `-o json`; undefined for another format. */
export function schemaFileOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === '-o' || arg === '--output');
  const isJson = at >= 0 ? args[at + 1] === 'json' : args.includes('--output=json');
  if (!isJson) return undefined;
  const [command = '', below = ''] = args;
  const names = [`${command}-${below}.schema.json`, `${command}.schema.json`];
  const found = names.find((name) => existsSync(join(folder, name)));
  if (found === undefined) throw new Error(`schemas/ has no file for ${command} -o json`);
  return found;
}

/** @throws Error that says what the schema does not have */
export function demandSchema(file: string, output: string): void {
  const path = join(folder, file);
  const isValid = compiled.get(file) ?? ajv.compile(JSON.parse(readFileSync(path, 'utf8')));
  compiled.set(file, isValid);
  if (isValid(JSON.parse(output))) return;
  throw new Error(`not in ${path}: ${ajv.errorsText(isValid.errors)}\n${output.slice(0, 2000)}`);
}
