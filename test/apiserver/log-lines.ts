/** Lines of a gate's log, as schemas/log.schema.json has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Schema {
  readonly oneOf: readonly {
    readonly properties: { readonly msg: { readonly const?: string; readonly pattern?: string } };
  }[];
  readonly $defs: object;
}

const file = join(import.meta.dirname, '..', '..', 'schemas', 'log.schema.json');
export const logSchema = JSON.parse(readFileSync(file, 'utf8')) as Schema;

const ajv = new Ajv2020({ formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ } });
const whole = ajv.compile(logSchema);
const each = new Map<Schema['oneOf'][number], ValidateFunction>();

/** @throws Error that says what is wrong with the first line that is not as the schema has it */
export function demandLogLines(text: string): void {
  // A process that was killed may have left half a line.
  for (const line of text.split('\n').slice(0, -1)) {
    if (line.startsWith('{')) demandLogLine(JSON.parse(line) as { msg?: string });
  }
}

function demandLogLine(line: { msg?: string }): void {
  if (whole(line)) return;
  const { msg = '' } = line;
  const kind = logSchema.oneOf.find(({ properties: { msg: wanted } }) =>
    wanted.pattern === undefined ? wanted.const === msg : new RegExp(wanted.pattern).test(msg),
  );
  const why = kind === undefined ? 'there is no such msg' : wrongIn(kind, line);
  throw new Error(`not in schemas/log.schema.json: ${why}: ${JSON.stringify(line).slice(0, 1000)}`);
}

function wrongIn(kind: Schema['oneOf'][number], line: object): string {
  const validate = each.get(kind) ?? ajv.compile({ ...kind, $defs: logSchema.$defs });
  each.set(kind, validate);
  validate(line);
  return ajv.errorsText(validate.errors);
}
