import { expect } from 'chai';
import { compileSelector, type LabelExpression } from './label-selector.js';

function compile(matchLabels: Record<string, string>, ...matchExpressions: LabelExpression[]) {
  return compileSelector({ matchLabels: new Map(Object.entries(matchLabels)), matchExpressions });
}

function expression(key: string, operator: string, ...values: string[]): LabelExpression {
  return { key, operator, values };
}

const nameExample =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueExample =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('compileSelector', () => {
  const matches: [rule: string, compiled: ReturnType<typeof compile>, matching: string][] = [
    ['nothing is asked: all', compile({}), 'bare db prod'],
    ['matchLabels equal', compile({ env: 'prod' }), 'db prod'],
    [
      'matchLabels and expressions together',
      compile({ env: 'prod' }, expression('tier', 'Exists')),
      'db',
    ],
    ['In', compile({}, expression('env', 'In', 'dev', 'prod')), 'db prod'],
    [
      'NotIn matches what lacks the label',
      compile({}, expression('tier', 'NotIn', 'db')),
      'bare prod',
    ],
    ['DoesNotExist', compile({}, expression('env', 'DoesNotExist')), 'bare'],
    [
      'all requirements of a key hold together',
      compile(
        { env: 'prod' },
        expression('env', 'In', 'dev', 'prod'),
        expression('env', 'NotIn', 'dev'),
      ),
      'db prod',
    ],
    [
      'requirements of a key that no value meets',
      compile({}, expression('env', 'In', 'dev'), expression('env', 'In', 'prod')),
      '',
    ],
    [
      'what must be there and must not',
      compile({}, expression('tier', 'DoesNotExist'), expression('tier', 'In', 'db')),
      '',
    ],
    ['a value may be empty', compile({ env: '' }), ''],
    [
      'keys of Object.prototype are no labels',
      compile({}, expression('constructor', 'Exists')),
      '',
    ],
  ];
  const namespaces: [string, Record<string, string>][] = [
    ['bare', {}],
    ['db', { env: 'prod', tier: 'db' }],
    ['prod', { env: 'prod' }],
  ];
  for (const [rule, compiled, matching] of matches) {
    it(`matches: ${rule}`, () => {
      if (compiled.error !== null) throw new Error(compiled.error);
      const found = namespaces
        .filter(([, labels]) => compiled.matches(new Map(Object.entries(labels))))
        .map(([name]) => name);
      expect(found.join(' ')).to.equal(matching);
    });
  }

  const errors: [rule: string, compiled: ReturnType<typeof compile>, error: string][] = [
    [
      'unknown operator',
      compile({}, expression('a', 'Gt', '1')),
      '"Gt" is not a valid label selector operator',
    ],
    [
      'matchLabels are judged before expressions',
      compile({ '': 'x' }, expression('a', 'Bogus')),
      `key: Invalid value: "": name part must be non-empty; name part ${nameExample}`,
    ],
    ['bad value', compile({ env: 'a b' }), `values[0][env]: Invalid value: "a b": ${valueExample}`],
    [
      'too long value',
      compile({ env: 'x'.repeat(64) }),
      `values[0][env]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
    ],
    [
      'the first ten values of many that are bad',
      compile({}, expression('env', 'In', ...Array.from({ length: 12 }, (_, n) => `!${n}`))),
      `[${Array.from({ length: 10 }, (_, n) => `values[${n}][env]: Invalid value: "!${n}": ${valueExample}`).join(', ')}, and 2 more values]`,
    ],
    [
      'In needs values',
      compile({}, expression('env', 'In')),
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      'Exists takes none',
      compile({}, expression('env', 'Exists', 'a', '<')),
      `[values: Invalid value: ["a","\\u003c"]: values set must be empty for exists and does not exist, values[1][env]: Invalid value: "<": ${valueExample}]`,
    ],
    [
      'bad prefix',
      compile({ 'Ex/a': 'x' }),
      `key: Invalid value: "Ex/a": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      'too many slashes',
      compile({ 'a/b/c': 'x' }),
      `key: Invalid value: "a/b/c": a valid label key ${nameExample} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    [
      'quoting is Go’s',
      compile({}, expression('a', 'In\u0007"é\u200b')),
      '"In\\a\\"é\\u200b" is not a valid label selector operator',
    ],
  ];
  for (const [rule, compiled, error] of errors) {
    it(`refuses: ${rule}`, () => expect(compiled.error).to.equal(error));
  }
});
