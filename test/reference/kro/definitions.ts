/**
 * `npx tsx test/reference/kro/definitions.ts 300 1` puts 300 random ResourceGraphDefinitions to kro and to
 * ours, and tells each difference; with `--write` they become the golden rows `sources-kro`.
 */
import { Dice } from '../../../src/upgrade/proof/testing/dice.js';
import {
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../src/text/documents/index.js';
import { kroDifference } from '../../golden/sources.js';
import type { GoldenRow } from '../../golden/golden.js';
import { ask, build, writeRows } from '../program.js';
import { references } from '../references.js';

const kinds = [
  'Widget',
  'WebApp',
  'Proxy',
  'Policy',
  'Class',
  'Index',
  'Database',
  'Leaf',
  'Box',
  'Human',
];
const names = ['name', 'size', 'labels', 'kind', 'items', 'nested', 'aBc', 'x-y'];
const typeNames = ['Person', 'Port', 'Level'];

/** Markers that suit a type. */
const markers = {
  string: [
    'default=a',
    'default="a b"',
    'default="é"',
    'enum="a,b, c"',
    'pattern="^[a-z]*$"',
    'minLength=1',
    'maxLength=007',
    'default="a\\\\\\\\"',
    'pattern="\\d["]"',
  ],
  integer: ['default=1', 'default=-3', 'minimum=0', 'maximum=10', 'maximum=1.5', 'enum="1,2"'],
  float: ['default=1.50', 'minimum=0.5', 'maximum=1e3', 'default=0.5'],
  boolean: ['default=true', 'default=false'],
  list: ['minItems=1', 'maxItems=3', 'uniqueItems=true', 'listType=atomic', 'default=[]'],
  map: ['default={}', 'default={"name":"a"}', 'default={ "a": "b" }'],
  other: [],
  any: [
    'required=true',
    'required=false',
    'required=T',
    'description="Some words"',
    'description=word',
    'immutable=true',
    'validation="self != \\"x\\""',
    'validation=true',
  ],
};
/** Markers that kro refuses, at least of some types. */
const odd = ['required=yes', 'validation=""', 'unknown=1', 'required', 'minLength=1', 'maxItems=x', 'listType=map', 'listType=map listMapKey=name', 'listMapKey=a', 'enum=', 'default=a', 'default="a', 'default=}', 'pattern=""', 'immutable=', 'a b=c', 'minimum=a', 'uniqueItems=true listType=map', 'required = true', 'listType=set listType=set', 'listType=map listMapKey=a listMapKey=a']; // prettier-ignore

interface Author {
  readonly dice: Dice;
  readonly isCareless: boolean;
  /** What fields may name. */
  readonly types: readonly string[];
}

function field(author: Author, depth: number): JsonValue {
  const { dice, isCareless, types } = author;
  if (depth < 3 && dice.chance(0.2)) return fields(author, depth + 1);
  if (isCareless && dice.chance(0.02))
    return dice.pick<JsonValue>([1, null, true, ['string'], '', 'Nobody', '[]']);
  const base = dice.pick(['string', 'integer', 'float', 'boolean', 'object', ...types]);
  const arounds = [
    '[]',
    'map[string]',
    '[][]',
    'map[string][]',
    '[] ',
    ...(isCareless ? ['map[int]', 'map['] : []),
  ];
  const around = dice.chance(0.3) ? dice.pick(arounds) : '';
  const kind = around.startsWith('[]')
    ? 'list'
    : around !== ''
      ? 'map'
      : base in markers
        ? base
        : 'other';
  const known = [
    ...markers[kind as keyof typeof markers],
    ...markers.any.slice(0, dice.chance(0.5) ? 3 : undefined),
  ];
  const some = dice.chance(0.6) ? dice.some(known, 1.5 / known.length) : [];
  if (isCareless && dice.chance(0.1)) some.push(dice.pick(odd));
  return `${around}${base}${some.length > 0 ? ` | ${some.join('  ')}` : ''}`;
}

function fields(author: Author, depth: number): JsonObject {
  return Object.fromEntries(
    author.dice.some(names, 0.35).map((name) => [name, field(author, depth)]),
  );
}

/** The last is refused. */
const expressions = [
  '${schema.spec.name}', '${schema.spec.size}', '${thing.status.text}', '${thing.status.count}',
  '${thing.status.count > 1}', '${thing.status.texts}', '${thing.status.ready ? "a" : "b"}',
  'a-${thing.metadata.name}', '${thing.metadata.name}${schema.spec.name}', '${string(thing.status.count)}',
  '${size(thing.status.texts)}', '${[1, thing.status.count]}', '${{"a": schema.spec.size}}',
  '${"}" + thing.metadata.name}', '${thing.status.ratio * 2.0}', '${thing.status.texts.map(each, each + "x")}',
  '${schema.spec.size + 1}', '${[schema.spec.name]}', '${schema.spec.size > 1 ? [schema.spec.size] : []}',
  'no expression',
]; // prettier-ignore

function statusValue(author: Author, depth: number): JsonValue {
  const { dice, isCareless } = author;
  const last = expressions.length - (isCareless ? 0 : 1);
  if (depth < 2 && dice.chance(0.2)) {
    return Object.fromEntries(
      dice.some(names.slice(0, 5)).map((name) => [name, statusValue(author, depth + 1)]),
    );
  }
  if (depth < 2 && dice.chance(0.1)) return [statusValue(author, depth + 1)];
  return dice.pick(expressions.slice(0, last));
}

function graphDefinition(seed: number): JsonObject {
  const dice = new Dice(seed);
  const author = { dice, isCareless: dice.chance(0.25), types: typeNames };
  const maybe = (chance: number, entries: JsonObject): JsonObject =>
    dice.chance(chance) ? entries : {};
  const kind = dice.pick(kinds);
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'graph' },
    spec: {
      schema: {
        apiVersion: dice.pick(['v1', 'v1alpha1']),
        kind,
        spec: { ...fields(author, 0), name: 'string', size: 'integer' },
        types: Object.fromEntries(
          typeNames.map((name, at) => {
            const types = author.isCareless ? typeNames : typeNames.slice(0, at);
            const ofType = { ...author, types };
            return [name, dice.chance(0.5) ? fields(ofType, 2) : field(ofType, 3)];
          }),
        ),
        ...maybe(0.7, {
          status: {
            ...Object.fromEntries(
              ['one', 'two', 'state']
                .filter(() => dice.chance(0.5))
                .map((name) => [name, statusValue(author, 0)]),
            ),
            ...(author.isCareless && maybe(0.1, { conditions: {} })),
          },
        }),
        ...maybe(0.5, { group: 'example.org' }),
        ...maybe(0.3, { scope: dice.pick(['Cluster', 'Namespaced']) }),
        ...maybe(0.2, { shortNames: ['wd'], categories: ['all'] }),
        ...maybe(0.2, { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }),
        ...maybe(0.2, {
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        }),
      },
      resources: [
        {
          id: 'thing',
          template: {
            apiVersion: 'example.org/v1',
            kind: 'Thing',
            metadata: { name: 'a', namespace: 'b' },
            spec: { text: 'b' },
          },
        },
      ],
    },
  };
}

const [count = '300', seed = '1'] = process.argv.slice(2);
const kro = references.find(({ name }) => name === 'kro');
if (kro === undefined) throw new Error('kro is no reference');
const rows = Array.from({ length: Number(count) }, (_, index): GoldenRow => {
  const at = Number(seed) * 100_000 + index;
  return { id: `kro-${at}`, input: graphDefinition(at) };
});
const answers = await ask(
  build(kro),
  [],
  rows.map((row) => stringifyJson(row['input'] ?? null)),
);
const answered = rows.map((row, index) => kro.renewed(row, answers[index] ?? {}));
let differing = 0;
for (const row of answered) {
  const difference = kroDifference(row);
  if (difference === undefined) continue;
  differing++;
  console.log(`${row.id}: ${difference}`);
}
const refused = answers.filter(({ error }) => error !== undefined).length;
console.log(`${rows.length} definitions, ${refused} refused by kro, ${differing} differ`);
if (process.argv.includes('--write')) writeRows('sources-kro', answered);
process.exitCode = differing > 0 ? 1 : 0;
