import { expect } from 'chai';
import { parseJson, type JsonObject } from '../../../text/documents/index.js';
import { judgeClassicUpgrade } from './upgrade.js';

function crd(versions: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: { versions: [...versions], ...more },
    status: { storedVersions: ['v1'] },
  };
}

function version(name: string, size: JsonObject, served = true): JsonObject {
  const spec = { type: 'object', properties: { size } };
  return { name, served, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
}

const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'n' },
  spec: { size: 5 },
};

const integer = { type: 'integer' };
const small = { type: 'integer', maximum: 3 };
const int32 = { type: 'integer', format: 'int32' };
const range = (subject: string, format: string): string =>
  `[]: Invalid value: "": ${subject} value must be of type integer ${format} in spec.size`;
const old = crd([version('v1', integer)]);
const tooSmall =
  'error validating example.com/v1, Kind=Widget "n/a": updated validation is too restrictive: [].spec.size: Invalid value: 5: spec.size in body should be less than or equal to 3';

describe('OLM classic replaces a CRD', () => {
  const rows: readonly (readonly [rule: string, next: JsonObject, error: string | null])[] = [
    ['when its objects still fit', crd([version('v1', { type: 'number' })]), null],
    [
      'unless an object is refused',
      crd([version('v1', small)]),
      `error validating existing CRs against new CRD's schema for "widgets.example.com": ${tooSmall}`,
    ],
    ['though the version is no longer served', crd([version('v1', small, false)]), null],
    [
      'unless a stored version goes',
      crd([version('v2', integer)]),
      'risk of data loss updating "widgets.example.com": new CRD removes version v1 that is listed as a stored version on the existing CRD',
    ],
    [
      'by the last of two versions of one name',
      crd([version('v1', small), version('v1', integer)]),
      null,
    ],
    [
      'unless one of them has no schema',
      crd([{ name: 'v1', served: true, schema: null }, version('v1', integer)]),
      `error validating existing CRs against new CRD's schema for "widgets.example.com": version v1 has no schema`,
    ],
  ];
  for (const [rule, newCRD, error] of rows) {
    it(rule, () => {
      const verdict = judgeClassicUpgrade({
        currentCRD: old,
        newCRD,
        crsByVersion: { v1: [widget] },
      });
      expect(verdict).to.deep.equal({ allowed: error === null, error, warningEvent: null });
    });
  }

  it('with an event only, when a webhook converts', () => {
    const newCRD = crd([version('v1', small)], { conversion: { strategy: 'Webhook' } });
    const verdict = judgeClassicUpgrade({
      currentCRD: old,
      newCRD,
      crsByVersion: { v1: [widget] },
    });
    expect(verdict.allowed).to.equal(true);
    expect(verdict.warningEvent).to.contain(`Validation Error: ${tooSmall}`);
  });

  it('refuses when objects cannot be listed', () => {
    const verdict = judgeClassicUpgrade({
      currentCRD: old,
      newCRD: crd([version('v1', integer)]),
      crsByVersion: {},
      listErrors: { v1: 'the server is busy' },
    });
    expect(verdict.error).to.equal(
      'error validating existing CRs against new CRD\'s schema for "widgets.example.com": the server is busy',
    );
  });

  const refusals: readonly (readonly [
    rule: string,
    schema: JsonObject,
    text: string,
    says: string,
  ])[] = [
    ['an int32 fits 32 bits', int32, '2147483647', ''],
    ['an int32 past 32 bits', int32, '2147483648', range('Checked', 'with format int32')],
    ['an int32 below 32 bits', int32, '-2147483649', range('Checked', 'with format int32')],
    ['a whole float is an int32', int32, '1e3', ''],
    [
      'a fraction is no int32',
      int32,
      '1.5',
      `[[].spec.size: Invalid value: "float64": spec.size in body must be of type int32: "float64", ${range('Checked', 'with format int32')}]`,
    ],
    [
      'a fraction is no integer',
      integer,
      '1.5',
      `[[].spec.size: Invalid value: "number": spec.size in body must be of type integer: "number", ${range('Checked', '(default format)')}]`,
    ],
    [
      'a bound past the format refuses every value',
      { ...int32, maximum: 4294967295 },
      '1',
      range('Maximum boundary', 'with format int32'),
    ],
    [
      'a value past such a bound is told both as doubles',
      { ...int32, minimum: 4294967295 },
      '7',
      `[${range('Minimum boundary', 'with format int32')}, [].spec.size: Invalid value: 7: spec.size in body should be greater than or equal to 4.294967295e+09]`,
    ],
    [
      'the least integer is no bound of an integer',
      { ...integer, minimum: -(2 ** 63) },
      '7',
      range('Minimum boundary', '(default format)'),
    ],
    ['a bound that doubles hold is one', { ...integer, minimum: -(2 ** 62) }, '7', ''],
    ['a float fits 32 bits', { type: 'number', format: 'float' }, '3.4e38', ''],
    [
      'a float past 32 bits',
      { type: 'number', format: 'float' },
      '3.5e38',
      '[]: Invalid value: "": Checked value must be of type number with format float in spec.size',
    ],
    ['a double has no bound', { type: 'number', format: 'double' }, '1e300', ''],
    [
      'a format of another type does not count',
      { type: 'boolean', format: 'date' },
      '1',
      '[].spec.size: Invalid value: "integer": spec.size in body must be of type boolean: "integer"',
    ],
  ];
  for (const [rule, size, text, says] of refusals) {
    it(`as Kubernetes 1.36 validates: ${rule}`, () => {
      const { error } = judgeClassicUpgrade({
        currentCRD: old,
        newCRD: crd([version('v1', size)]),
        crsByVersion: { v1: [{ ...widget, spec: { size: parseJson(text) } }] },
      });
      expect(error?.split('too restrictive: ')[1] ?? '').to.equal(says);
    });
  }

  for (const crsByVersion of [null, { v1: null }]) {
    it(`when no objects are ${JSON.stringify(crsByVersion)}, as Go writes none`, () => {
      const newCRD = crd([version('v1', small)]);
      const verdict = judgeClassicUpgrade({
        currentCRD: old,
        newCRD,
        crsByVersion,
        listErrors: null,
      });
      expect(verdict.allowed).to.equal(true);
    });
  }

  it('names no kind beside an apiVersion that cannot be read', () => {
    const { error } = judgeClassicUpgrade({
      currentCRD: old,
      newCRD: crd([version('v1', small)]),
      crsByVersion: { v1: [{ ...widget, apiVersion: 'a/b/c' }] },
    });
    expect(error).to.contain('error validating /, Kind= "n/a": ');
  });
});
