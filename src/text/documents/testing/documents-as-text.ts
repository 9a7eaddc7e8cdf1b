/** Documents as people and tools write them, in every layout, and patches of them. */
import fc from 'fast-check';
import type { Operation } from 'fast-json-patch';
import type { JsonObject, JsonValue } from '../value.js';
import { writeYaml } from '../write-yaml.js';

/** A line of a text, and the paths of what is on it. */
export interface Line {
  readonly text: string;
  readonly paths: readonly string[];
}

export interface DocumentAsText {
  readonly lines: readonly Line[];
  readonly patch: readonly Operation[];
  /** Whether the patch may change or remove that line. */
  readonly mayGo: (line: Line) => boolean;
}

const name = fc.oneof(
  fc.constantFrom(
    'spec',
    'type',
    'enum',
    'description',
    'minimum',
    'a.b',
    'x/y',
    'on',
    '8',
    '#c',
    'k: v',
    'é',
  ),
  fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom(...'abcdef') }),
);
const words = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    '1.0',
    'null',
    ' a',
    "it's",
    'a: b',
    'a #b',
    '- a',
    '{x',
    '012',
    '~',
    'yes',
  ),
  fc.constantFrom('two\nlines\n', 'one\n\n  three', 'kept\n\n', '# no comment\nbut text', 'end\\'),
  fc.string({ maxLength: 6, unit: fc.constantFrom(...'abc ,:') }),
);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  words,
  fc.integer({ min: -9, max: 99 }),
  fc.boolean(),
  fc.constant(null),
);
const { value, map } = fc.letrec<{ value: JsonValue; map: JsonValue; list: JsonValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, scalar, tie('map'), tie('list')),
  map: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  // Of equal items nobody knows which one was taken out.
  list: fc.uniqueArray(tie('value'), { maxLength: 4, selector: (item) => JSON.stringify(item) }),
}));
const root = fc.dictionary(name, value, { minKeys: 2, maxKeys: 5 });

/** What is where, from one choice to the next. */
class Choices {
  #at = 0;
  constructor(private readonly tape: readonly number[]) {}
  /** True once in so many times. */
  oneIn(times: number): boolean {
    const next = this.tape[this.#at++ % this.tape.length] ?? 0;
    return next % times === 0;
  }
}
const tape = fc.array(fc.nat(999), { minLength: 7, maxLength: 40 });

class Writer {
  readonly #lines: Line[] = [];
  #count = 0;

  constructor(
    private readonly choices: Choices,
    private readonly indent: number,
    private readonly isFlat: boolean,
  ) {}

  write(object: JsonObject): Line[] {
    this.#map(object, '', 0, '');
    return this.#lines;
  }

  /** @param start what is before the first member on its line */
  #map(
    object: JsonObject,
    path: string,
    column: number,
    start: string,
    above: string[] = [],
  ): void {
    let head = start;
    for (const [index, [key, item]] of Object.entries(object).entries()) {
      const at = `${path}/${escaped(key)}`;
      const paths = index === 0 && start !== '' ? [...above, at] : [at];
      if (head === '' && this.choices.oneIn(6)) {
        this.#lines.push({
          text: `${' '.repeat(column)}# ${this.#count++}`,
          paths: index === 0 ? [path] : [at],
        });
      }
      const lead = head === '' ? ' '.repeat(column) : head;
      head = '';
      const written = writeYaml({ [key]: 0 }, undefined, { isFlow: true }).slice(1, -5);
      this.#value(item, at, column, `${lead}${written}:`, paths);
    }
  }

  #list(
    list: readonly JsonValue[],
    path: string,
    column: number,
    start: string,
    above: string[] = [],
  ): void {
    for (const [index, item] of list.entries()) {
      const at = `${path}/${index}`;
      const lead = index === 0 && start !== '' ? start : ' '.repeat(column);
      const paths = index === 0 && start !== '' ? [...above, at] : [at];
      if (isBlock(item) && this.choices.oneIn(2)) {
        if (Array.isArray(item)) this.#list(item, at, column + 2, `${lead}- `, paths);
        else this.#map(item, at, column + 2, `${lead}- `, paths);
      } else this.#value(item, at, column, `${lead}-`, paths, true);
    }
  }

  #value(
    item: JsonValue,
    path: string,
    column: number,
    head: string,
    paths: string[],
    isItem = false,
  ): void {
    const { choices } = this;
    const comment = choices.oneIn(3) ? ` # ${this.#count++}` : '';
    if (isBlock(item) && !choices.oneIn(4)) {
      this.#lines.push({ text: `${head}${comment}`, paths });
      const deeper = column + (Array.isArray(item) && this.isFlat && !isItem ? 0 : this.indent);
      if (Array.isArray(item)) this.#list(item, path, deeper, '');
      else this.#map(item, path, deeper, '');
    } else if (typeof item === 'string' && /^[^\s#][^\\]*\n/.test(item) && !choices.oneIn(4)) {
      const kept = /\n*$/.exec(item)?.[0].length ?? 0;
      const content = item.slice(0, item.length - kept).split('\n');
      this.#lines.push({ text: `${head} |${['-', ''][kept] ?? '+'}${comment}`, paths });
      for (const line of content) {
        this.#lines.push({
          text: line === '' ? '' : ' '.repeat(column + this.indent) + line,
          paths,
        });
      }
      for (let empty = 1; empty < kept; empty++) this.#lines.push({ text: '', paths });
    } else {
      const text = choices.oneIn(2)
        ? JSON.stringify(item)
        : writeYaml([item], undefined, { isFlow: true }).trim().slice(1, -1);
      this.#lines.push({ text: `${head} ${text}${comment}`, paths });
    }
  }
}

function isBlock(item: JsonValue): item is JsonObject | JsonValue[] {
  return typeof item === 'object' && item !== null && Object.keys(item).length > 0;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Every place of a value. */
function pathsOf(item: JsonValue, path = ''): string[] {
  if (typeof item !== 'object' || item === null) return [path];
  const below = Object.entries(item).flatMap(([key, each]) =>
    pathsOf(each as JsonValue, `${path}/${escaped(key)}`),
  );
  return [path, ...below];
}

function valueAt(item: JsonValue, path: string): JsonValue {
  return path
    .split('/')
    .slice(1)
    .reduce<JsonValue>(
      (at, key) => (at as JsonObject)[key.replaceAll('~1', '/').replaceAll('~0', '~')] as JsonValue,
      item,
    );
}

/** One operation somewhere below the root. */
function patchOf(whole: JsonValue): fc.Arbitrary<Operation> {
  const paths = pathsOf(whole);
  const inside = paths.filter((path) => path !== '');
  const open = paths.filter((path) => {
    const at = valueAt(whole, path);
    return typeof at === 'object' && at !== null;
  });
  return fc.oneof(
    fc.record({ op: fc.constant('remove' as const), path: fc.constantFrom(...inside) }),
    fc.record({ op: fc.constant('replace' as const), path: fc.constantFrom(...inside), value }),
    fc
      .record({ parent: fc.constantFrom(...open), key: name, at: fc.nat(), value })
      .map(({ parent, key, at, value: added }) => {
        const into = valueAt(whole, parent);
        const step = Array.isArray(into) ? String(at % (into.length + 1)) : escaped(key);
        return { op: 'add' as const, path: `${parent}/${step}`, value: added };
      }),
  );
}

/** A document with one operation. */
export const docAsText: fc.Arbitrary<DocumentAsText> = root.chain((whole) =>
  fc
    .record({
      operation: patchOf(whole),
      tape,
      indent: fc.constantFrom(2, 4),
      isFlat: fc.boolean(),
    })
    .map(({ operation, tape: choices, indent, isFlat }) => {
      const lines = new Writer(new Choices(choices), indent, isFlat).write(whole);
      const { path } = operation;
      const parent = path.slice(0, path.lastIndexOf('/'));
      const siblings = valueAt(whole, parent) as object;
      const isNew =
        operation.op === 'add' && (Array.isArray(siblings) || !pathsOf(whole).includes(path));
      const isParentWritten = Object.keys(siblings).length === (isNew ? 0 : 1);
      const first = Object.keys(siblings)
        .slice(0, 2)
        .map((key) => `${parent}/${escaped(key)}`);
      // Behind a dash the first member shares its line, and another one may come to do so.
      const sharesLine = lines.some(
        ({ paths }) => paths.length > 1 && paths.includes(first[0] ?? ''),
      );
      const isWithin = (one: string, other: string): boolean =>
        one === other || one.startsWith(`${other}/`);
      // All in its brackets is on the line of the nearest place that has one.
      const written = new Set(lines.flatMap(({ paths }) => paths));
      let holder = isNew || isParentWritten ? parent : path;
      while (!written.has(holder) && holder !== '')
        holder = holder.slice(0, holder.lastIndexOf('/'));
      const isInBrackets =
        holder !== path &&
        !lines.some(({ paths }) => paths.some((each) => each !== holder && isWithin(each, holder)));
      const mayGo = ({ paths }: Line): boolean =>
        paths.some(
          (each) =>
            (!isNew && isWithin(each, path)) ||
            (isParentWritten && isWithin(each, parent)) ||
            (isInBrackets && each === holder) ||
            (sharesLine && first.some((one) => isWithin(each, one))),
        );
      return { lines, patch: [operation], mayGo };
    }),
);

/** Several documents of one file, YAML in blocks and JSON, of which one is patched. */
export const textsOfDocuments = fc
  .record({
    roots: fc.array(root, { minLength: 1, maxLength: 4 }),
    tape,
    isWindows: fc.boolean(),
    isEnded: fc.boolean(),
    number: fc.nat(),
    json: fc.constantFrom(undefined, 0, 2),
  })
  .chain(({ roots, tape: choices, isWindows, isEnded, number, json }) => {
    const chosen = number % roots.length;
    const lineEnd = isWindows ? '\r\n' : '\n';
    const texts = roots.map((each) =>
      json === undefined
        ? new Writer(new Choices(choices), 2, true)
            .write(each)
            .map(({ text }) => text)
            .join(lineEnd)
        : JSON.stringify(each, undefined, json).replaceAll('\n', lineEnd),
    );
    if (isEnded) texts.push(`${texts.pop() ?? ''}${lineEnd}`);
    const between = json === undefined ? `${lineEnd}---${lineEnd}` : lineEnd;
    return fc
      .array(patchOf(roots[chosen] as JsonValue), { minLength: 1, maxLength: 1 })
      .map((patch) => ({ texts, between, number: chosen, patch }));
  });
void map;
