import { expect } from 'chai';
import type { JsonObject } from '../../documents/index.js';
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

  it('not when objects cannot be listed', () => {
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
});
