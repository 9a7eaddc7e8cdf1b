/** Every golden row about bundles, through the NDJSON door. */
import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { answer, goldenRows, ownBundle } from './golden.js';

describe('golden: bundle-own', () => {
  for (const row of goldenRows('bundle-own')) {
    it(`${row.id}, as its files are now`, async () => {
      const answered = await answer('bundle', { files: ownBundle() });
      expect(field(answered, 'output')).to.have.property('olmV1');
      expect(field(answered, 'output', 'olmV1')).to.equal(field(row, 'expect', 'olmV1'));
    });
  }
});

describe('golden: bundle-config-olm-v1', () => {
  for (const row of goldenRows('bundle-config-olm-v1')) {
    it(row.id, async () => {
      const answered = await answer('bundle', row['input'] ?? null);
      const said = linesOf(field(answered, 'output', 'olmV1'));
      expect(said).to.deep.equal(linesOf(field(row, 'expect', 'olmV1')));
    });
  }
});

describe('golden: bundle-olm-v1', () => {
  for (const row of goldenRows('bundle-olm-v1')) {
    it(row.id, async () => {
      const answered = await answer('bundle', row['input'] ?? null);
      const refusal = field(row, 'expect', 'olmV1');
      expect(field(answered, 'output', 'olmV1')).to.equal(refusal);
      if (refusal === null) return;
      const findings = field(answered, 'verdict', 'findings') as JsonObject[];
      const isUnsupported = (refusal as string).startsWith('unsupported bundle');
      const severities = isUnsupported ? ['error', 'warning'] : ['error'];
      expect(findings.map(({ severity }) => severity)).to.include.oneOf(severities);
    });
  }
});

/** In one order: the reference's own is random. */
function linesOf(text: JsonValue | undefined): JsonValue | undefined {
  return typeof text === 'string' ? text.split('\n').sort() : text;
}

function field(value: JsonValue, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, key) => (isObject(inner) ? own(inner, key) : undefined),
    value,
  );
}
