/** Which programs answer which golden rows, and when two answers are the same. */
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';
import { moduleFiles } from './kubernetes/module-files.js';
import { ofMinor, withMinor } from './minor-ranges.js';
import {
  causesOf,
  differingFields,
  ownBundle,
  sameJson,
  type GoldenRow,
} from '../golden/golden.js';

/** A Go program: a folder with a module, built for each of its versions. */
export interface Reference {
  readonly name: string;
  /** Folder beside this file. */
  readonly module: string;
  /** Another module file than go.mod, for another version of what it imports. */
  readonly moduleFile?: string;
  /** Build tags. */
  readonly tags?: string;
  readonly args?: readonly string[];
  /** Files of golden rows. */
  readonly rows: readonly string[];
  /** What the program is asked; one line of JSON. */
  question(row: GoldenRow): JsonValue;
  /** In what its answer differs from the row; empty when it does not. */
  differences(row: GoldenRow, answer: JsonObject): readonly string[];
  /** The row with that answer. */
  renewed(row: GoldenRow, answer: JsonObject): GoldenRow;
}

const operations = ['create', 'update'];

/** The minor whose answers the rows about objects have. */
const minorOfObjects = '1.35';

const input = (row: GoldenRow): JsonValue => own(row, 'input') ?? null;
const expected = (row: GoldenRow): JsonObject => object(own(row, 'expect'));
const withExpected = (row: GoldenRow, answer: JsonObject): GoldenRow => ({
  ...row,
  expect: { ...expected(row), ...answer },
});

export const references: readonly Reference[] = [
  {
    name: 'versions',
    module: 'versions',
    rows: ['range', 'version'],
    question: input,
    differences(row, answer) {
      // What the ClusterExtension API accepts is a pattern in its definition, not the library's.
      const rest = Object.entries(expected(row)).filter(([key]) => key !== 'apiAccepts');
      return differingFields(Object.fromEntries(rest), answer);
    },
    renewed: withExpected,
  },
  {
    name: 'crdify',
    module: 'crdify',
    rows: ['crd-one-of', 'crd-options'],
    question: ({ old, new: next, crdify = null }) => ({
      old: old ?? null,
      new: next ?? null,
      crdify,
    }),
    differences(row, answer) {
      const [wanted, got] = [expected(row), answer].map((each) => ({
        allowed: own(each, 'allowed') ?? null,
        errors: crdifyErrors(list(own(each, 'errors'))),
      }));
      return differingFields(wanted ?? {}, got ?? {});
    },
    renewed: (row, answer) => ({
      ...row,
      expect: { ...answer, errors: crdifyErrors(list(own(answer, 'errors'))) },
    }),
  },
  {
    name: 'olm-v1-bundles',
    module: 'operator-controller',
    args: ['bundle'],
    rows: ['bundle-own', 'bundle-olm-v1', 'bundle-config-olm-v1'],
    question: (row) => {
      const { files, extension } = object(input(row));
      const experimental = ['SingleOwnNamespaceInstallSupport', 'DeploymentConfig'];
      const request: JsonObject =
        extension === undefined
          ? { namespace: 'operators' }
          : { ...object(extension), gates: experimental };
      return { ...request, files: files ?? ownBundle() };
    },
    differences(row, answer) {
      const [wanted, got] = [own(expected(row), 'olmV1'), refusal(answer)];
      if (typeof wanted !== 'string' || got === null) return wanted === got ? [] : ['olmV1'];
      // Its schema's validator walks over fields in a random order.
      return linesOf(wanted) === linesOf(got) ? [] : ['olmV1'];
    },
    renewed: (row, answer) => ({ ...row, expect: { olmV1: refusal(answer) } }),
  },
  {
    name: 'olm-v1-catalogs',
    module: 'operator-controller',
    args: ['select'],
    rows: ['catalogs-olm-v1'],
    question: (row) => {
      const { catalogs, ...rest } = object(input(row));
      // Some are known to whoever asks olm-guard, and are not on the cluster.
      const there = list(catalogs).filter((each) => own(object(each), 'isAbsent') !== true);
      return { ...rest, catalogs: there };
    },
    differences: (row, answer) => (sameJson(expected(row), answer) ? [] : ['expect']),
    renewed: (row, answer) => ({ ...row, expect: answer }),
  },
  {
    name: 'olm-v1-unhandled',
    module: 'operator-controller',
    args: ['crd-safety'],
    rows: ['crd-unhandled'],
    question: ({ old, new: next }) => ({ old: old ?? null, new: next ?? null }),
    differences: (row, answer) =>
      linesOf(own(expected(row), 'message')) === linesOf(own(answer, 'error') ?? '')
        ? []
        : ['message'],
    renewed: (row, answer) => ({ ...row, expect: { message: own(answer, 'error') ?? '' } }),
  },
  {
    name: 'catalogs',
    module: 'catalogs',
    rows: ['catalog'],
    question: input,
    differences(row, answer) {
      const { errors, ...rest } = expected(row);
      // Drawn in the text of the error.
      delete rest['tree'];
      const said = own(answer, 'error');
      if (errors === undefined || errors === null) return differingFields(rest, answer);
      const known = (errors as string[]).map(sortedTree);
      const isKnown = typeof said === 'string' && known.includes(sortedTree(said));
      return [...differingFields(rest, answer), ...(isKnown ? [] : ['errors'])];
    },
    renewed(row, { error, ...answer }) {
      return withExpected(row, { ...answer, ...(error === undefined ? {} : { errors: [error] }) });
    },
  },
  {
    name: 'cel',
    module: 'cel',
    rows: ['cel'],
    question: input,
    differences: (row, answer) => [
      ...new Set([
        ...differingFields(expected(row), answer),
        ...differingFields(answer, expected(row)),
      ]),
    ],
    renewed: (row, answer) => ({ ...row, expect: answer }),
  },
  {
    name: 'kro',
    module: 'kro',
    rows: ['sources-kro'],
    question: input,
    differences(row, answer) {
      const wanted = expected(row);
      // Of several errors it names one at random.
      if ('error' in wanted && 'error' in answer) return [];
      return sameJson(wanted, withoutWords(answer)) ? [] : ['expect'];
    },
    renewed: (row, answer) => ({ ...row, expect: withoutWords(answer) }),
  },
  {
    name: 'yaml',
    module: 'yaml',
    rows: ['yaml', 'yaml-odd'],
    question: input,
    differences(row, answer) {
      // The words of an error are the library's.
      const { error, ...rest } = expected(row);
      const isSame = (error === undefined) === (answer['error'] === undefined);
      return isSame ? differingFields(rest, answer) : ['error'];
    },
    renewed: (row, answer) => ({ ...row, expect: answer }),
  },
  {
    name: 'objects',
    module: 'kubernetes',
    moduleFile: moduleFiles.get(minorOfObjects) ?? 'go.mod',
    args: ['objects'],
    rows: ['crd-objects', 'crd-objects-update'],
    question: input,
    differences(row, answer) {
      const [wanted, got] = [list(own(expected(row), 'results')), list(own(answer, 'results'))];
      if (wanted.length !== got.length) return ['results'];
      return wanted.flatMap((result, index) =>
        sameJson(judged(result), judged(got[index] ?? null)) ? [] : [`results[${index}]`],
      );
    },
    renewed: withExpected,
  },
  ...[...moduleFiles].map(([minor, moduleFile]): Reference => ({
    name: `definitions-${minor}`,
    module: 'kubernetes',
    moduleFile,
    ...(minor === '1.29' ? { tags: 'withoutobjects' } : {}),
    args: ['definitions'],
    rows: ['definitions-synthetic', 'definitions-mutated'],
    question: (row) => ({
      ...(row['old'] === undefined ? {} : { old: row['old'] }),
      new: row['new'] ?? null,
    }),
    differences(row, answer) {
      const wanted = ofMinor(object(own(row, 'answers')), minor);
      if (wanted === undefined) return ['no answer yet'];
      return operations.filter(
        (operation) =>
          causesOf(own(object(wanted), operation)) !== causesOf(own(answer, operation)),
      );
    },
    renewed: (row, answer) => ({
      ...row,
      answers: withMinor(object(own(row, 'answers')), minor, answer, (known) =>
        operations.every((on) => causesOf(own(object(known), on)) === causesOf(own(answer, on))),
      ),
    }),
  })),
  ...[...moduleFiles].map(([minor, moduleFile]): Reference => ({
    name: `costs-${minor}`,
    module: 'kubernetes',
    moduleFile,
    ...(minor === '1.29' ? { tags: 'withoutobjects' } : {}),
    args: ['costs'],
    rows: ['definitions-mutated'],
    question: (row) => ({ new: row['new'] ?? null }),
    differences(row, answer) {
      const wanted = ofMinor(object(own(row, 'costs')), minor);
      if (wanted === undefined) return ['no costs yet'];
      return sameJson(wanted, own(answer, 'costs') ?? null) ? [] : ['costs'];
    },
    renewed(row, answer) {
      const costs = own(answer, 'costs') ?? {};
      const isSame = (known: JsonValue): boolean => sameJson(known, costs);
      return { ...row, costs: withMinor(object(own(row, 'costs')), minor, costs, isSame) };
    },
  })),
];

/** Without what kro tells people about the columns that it adds. */
function withoutWords(answer: JsonObject): JsonObject {
  return parseJson(
    stringifyJson(answer).replaceAll(/,"description":"[^"]*"(?=,"jsonPath")/g, ''),
  ) as JsonObject;
}

/** The lines of a text; crdify walks over fields in a random order. */
export function linesOf(text: JsonValue | undefined): string {
  const said = typeof text === 'string' ? text : '';
  const lines = said.replace(/^validating upgrade for CRD "[^"]*": /, '').split('\n');
  return lines.sort().join('\n');
}

/** As a condition of the ClusterExtension has it. */
function refusal(answer: JsonObject): string | null {
  const said = own(answer, 'error');
  return typeof said === 'string' ? said.replace(/^terminal error: /, '') : null;
}

/** Its own order is random. */
function crdifyErrors(errors: readonly JsonValue[]): JsonValue[] {
  const lines = new Map(errors.map((error) => [stringifyJson(error), error]));
  return [...lines.keys()].sort().map((line) => lines.get(line) ?? null);
}

/** A judgement whose errors have one order. */
function judged(result: JsonValue): JsonValue {
  if (!isObject(result)) return null;
  const errors = list(own(result, 'errors')).filter(isObject);
  const lines = errors.map(({ type, field, detail }) =>
    stringifyJson([type, field, detail] as JsonValue[]),
  );
  return { valid: own(result, 'valid') ?? null, errors: lines.sort() };
}

/** A text that draws a tree, with the children of each line in one order. */
export function sortedTree(drawn: string): string {
  interface Node {
    line: string;
    readonly children: Node[];
  }
  const root: Node = { line: '', children: [] };
  const open = [root];
  for (const line of drawn.split('\n')) {
    const [, indent = '', branch, said = ''] = /^((?:│ {3}| {4})*)([├└]── )?(.*)$/.exec(line) ?? [];
    const depth = branch === undefined ? 0 : indent.length / 4 + 1;
    const node: Node = { line: said.replace(/:$/, ''), children: [] };
    open[depth]?.children.push(node);
    open.splice(depth + 1, Infinity, node);
  }
  const write = ({ line, children }: Node): string =>
    `${line}(${children.map(write).sort().join(',')})`;
  return write(root);
}

function object(value: JsonValue | undefined): JsonObject {
  if (value === undefined || !isObject(value)) throw new Error('not an object');
  return value;
}

const list = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
