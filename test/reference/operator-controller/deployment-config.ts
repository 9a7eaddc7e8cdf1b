/**
 * `npx tsx test/reference/operator-controller/deployment-config.ts` writes of operator-controller's schema
 * of a bundle's configuration which fields `deploymentConfig` takes, and of which types: all that the
 * schema asks of them. `npm run reference -- deployment-config` compares.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

const module = 'github.com/operator-framework/operator-controller';
const root = join(import.meta.dirname, '..', '..', '..');
const file = join(root, 'src', 'olm', 'catalogs', 'upgrades', 'deployment-config.json');

function text(): string {
  const args = ['list', '-m', '-f', '{{.Dir}}', module];
  const folder = execFileSync('go', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const path = 'internal/operator-controller/rukpak/bundle/registryv1bundleconfig.json';
  const whole = JSON.parse(readFileSync(join(folder, path), 'utf8')) as {
    properties: { deploymentConfig: Schema };
    components: { schemas: Record<string, Schema> };
  };
  const components = new Map(
    Object.entries(whole.components.schemas).map(([name, schema]) => [shortName(name), schema]),
  );
  const types = new Map<string, object>();
  const waiting = new Map([['SubscriptionConfig', whole.properties.deploymentConfig]]);
  for (const [name, schema] of waiting) {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([field, type]): [string, string] => [field, typeOf(type)],
    );
    for (const [, type] of fields) {
      const target = /[$&](.+)$/.exec(type)?.[1] ?? '';
      const found = components.get(target);
      // A reference to what has no fields is written out.
      if (found !== undefined) waiting.set(target, found);
    }
    const { required = [] } = schema;
    types.set(name, {
      ...(schema.properties === undefined ? { is: typeOf(schema) } : {}),
      ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
      ...(required.length > 0 ? { required } : {}),
    });
  }
  const table = JSON.stringify(Object.fromEntries([...types].sort(byName)), null, 2);
  // Lists on one line, as prettier has them.
  return `${table.replace(/\[[^\]]+\]/g, (list) => list.replace(/\n */g, ' ').replace('[ ', '[').replace(' ]', ']'))}\n`; // prettier-ignore
}

const byName = ([left]: [string, object], [right]: [string, object]): number =>
  left < right ? -1 : 1;

/** `string`, `int32`, `[]string`, `{}string`; `$Name` is a reference, `&Name` one within allOf, `a|b` is oneOf. */
function typeOf(schema: Schema): string {
  const { type, format, $ref, allOf, oneOf, items, additionalProperties } = schema;
  if ($ref !== undefined) return `$${shortName($ref)}`;
  if (allOf !== undefined) return `&${shortName(allOf[0]?.$ref ?? '')}`;
  if (oneOf !== undefined) return oneOf.map(typeOf).join('|');
  if (items !== undefined) return `[]${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `{}${typeOf(additionalProperties)}`;
  return (type === 'integer' ? format : undefined) ?? type ?? '';
}

const shortName = (name: string): string => name.split(/[./]/).at(-1) ?? '';

/** Whether the file is not what the source says. */
export function isDifferent(): boolean {
  return readFileSync(file, 'utf8') !== text();
}

export function write(): void {
  writeFileSync(file, text());
}

if (process.argv[1] === import.meta.filename) write();
