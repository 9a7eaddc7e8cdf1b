/** schemas/COMMAND.schema.json: JSON Schemas of what commands print with `-o json`, made of the types of json-output.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGenerator, type SchemaGenerator } from 'ts-json-schema-generator';
import { schemaUrl } from '../src/text/package.js';

const file = join(import.meta.dirname, 'json-output.ts');

/** Type and command, as the file names them. */
const documents = [
  ...readFileSync(file, 'utf8').matchAll(
    /^\/\*\* `([^`]+)` \*\/\nexport (?:type|interface) (\w+)/gm,
  ),
].map(([, command = '', type = '']) => ({ command, type }));

let generator: SchemaGenerator | undefined;

/** Reads all types once, for all of them. */
function schemaOf(type: string): Json {
  generator ??= createGenerator({
    path: file,
    tsconfig: join(import.meta.dirname, '..', 'tsconfig.json'),
    type: '*',
    expose: 'export',
    topRef: false,
    jsDoc: 'extended',
    skipTypeCheck: true,
    additionalProperties: false,
  });
  return generator.createSchema(type) as Json;
}

type Json = Readonly<Record<string, unknown>>;

/** Of types that stand for any value, and of which a generator would tell the insides. */
const anyValue: Readonly<Record<string, Json>> = {
  JsonValue: {},
  JsonObject: { type: 'object' },
};

export const outputSchemas = documents.map(({ command, type }) => {
  const name = `${command.replaceAll(' ', '-')}.schema.json`;
  return { file: `schemas/${name}`, text: () => text(name, command, type) };
});

function text(name: string, command: string, type: string): string {
  const { definitions, ...schema } = schemaOf(type);
  const all = { ...(definitions as Readonly<Record<string, Json>>), ...anyValue };
  const named = nameIn(schema['$ref']);
  const root: Json = { ...(named === undefined ? schema : all[named]), $schema: draft };
  const used = [...namesIn(root, all)].sort();
  const document = {
    $schema: draft,
    $id: schemaUrl(name),
    title: `olm-guard ${command} -o json`,
    ...(current(root) as Json),
    $defs: Object.fromEntries(used.map((each) => [each, current(all[each])])),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const draft = 'https://json-schema.org/draft/2020-12/schema';
const reference = '#/definitions/';

/** The definition that a reference names. */
function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(reference)) return undefined;
  return decodeURIComponent(value.slice(reference.length));
}

/** The definitions that it names, and those that these name. */
function namesIn(schema: unknown, all: Readonly<Record<string, Json>>, found = new Set<string>()) {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const value of Object.values(schema)) {
    const name = nameIn(value);
    if (name === undefined) namesIn(value, all, found);
    else if (!found.has(name)) namesIn(all[name], all, found.add(name));
  }
  return found;
}

/** As draft 2020-12 says what the generator says in draft 7. */
function current(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.filter((each) => !isNever(each)).map(current);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      // The generator opens an object whose properties are those of a mapped type.
      if (key === 'additionalProperties' && 'properties' in schema) return [key, false];
      const name = key === '$ref' ? nameIn(value) : undefined;
      return [key, name === undefined ? current(value) : `#/$defs/${name}`];
    }),
  );
}

/** `undefined`, which JSON leaves out. */
function isNever(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"not":{}}';
}
