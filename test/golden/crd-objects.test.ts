import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { answer, goldenRows, type GoldenRow } from './golden.js';
import { describeReleases, releaseRows } from './releases.js';

function results(from: JsonValue | undefined): JsonObject[] {
  const list = from !== undefined && isObject(from) ? own(from, 'results') : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function refusals(result: JsonObject): string[] {
  const errors = own(result, 'errors');
  return (Array.isArray(errors) ? errors : []).filter(isObject).map((error) => {
    return JSON.stringify([own(error, 'field'), own(error, 'type'), own(error, 'detail')]);
  });
}

function itAgrees(title: string, rows: readonly GoldenRow[]): void {
  it(`${title}: says of each object what kube-apiserver says, with its errors`, async () => {
    const differences: string[] = [];
    for (const row of rows) {
      const expected = results(own(row, 'expect'));
      const given = await answer('crd-objects', own(row, 'input') ?? null);
      const actual = results(own(given, 'output'));
      expected.forEach((wanted, index) => {
        const got = actual[index] ?? {};
        const same =
          own(wanted, 'valid') === own(got, 'valid') &&
          refusals(wanted).sort().join('\n') === refusals(got).sort().join('\n');
        if (!same) differences.push(`${row.id}[${index}]`);
      });
    }
    expect(differences).to.deep.equal([]);
  });
}

describe('golden: crd-objects', () => {
  itAgrees('creates', goldenRows('crd-objects'));
  itAgrees('updates', goldenRows('crd-objects-update'));
});

describeReleases('golden: crd-objects, definitions of public operators', () => {
  const rows = releaseRows('golden/crd-objects.jsonl.br');
  itAgrees(
    'creates',
    rows.filter(({ id }) => id.startsWith('obj-real-')),
  );
});
