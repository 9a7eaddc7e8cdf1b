import { expect } from 'chai';
import jsonPatch from 'fast-json-patch';
import { costsOf } from '../../src/kubernetes/definition/testing/judge-definition.js';
import { knownMinors } from '../../src/kubernetes/definition/minors.js';
import { boundWay } from '../../src/upgrade/rules/definition/explained-costs.js';
import { isObject, own, parseJson, stringifyJson, type JsonObject, type JsonValue } from '../../src/text/documents/index.js'; // prettier-ignore
import { answer, causesOf, goldenRows, type GoldenRow } from './golden.js';
import { describeReleases, releaseRows } from './releases.js';

const list = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const object = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
/** The minors of `1.29-1.33`. */
function minorsOf(range: string): string[] {
  const [first = '', last = first] = range.split('-');
  return knownMinors.slice(knownMinors.indexOf(first), knownMinors.indexOf(last) + 1);
}

/** What the row and the operation say differently of a create, and of an update where there is an old one. */
async function differences(
  row: GoldenRow,
  old: JsonValue | undefined,
  next: JsonValue,
): Promise<string[]> {
  const found: string[] = [];
  for (const on of old === undefined ? ['create'] : ['create', 'update']) {
    const input = { new: next, kubernetes: [...knownMinors], ...(on === 'update' ? { old } : {}) };
    const given = object(own(await answer('definition', input), 'output'));
    const refusals = list(own(given, 'refusals'));
    for (const [range, answers] of Object.entries(object(own(row, 'answers')))) {
      const wanted = causesOf(own(object(answers), on));
      for (const minor of minorsOf(range)) {
        const said = refusals.filter(({ kubernetes }) =>
          (kubernetes as readonly string[]).includes(minor),
        );
        if (causesOf(said) !== wanted) found.push(`${row.id} ${on} ${minor}`);
      }
    }
  }
  return found;
}

describe('golden: definition', function () {
  this.timeout(600_000);

  it('refuses what the API server of each minor refuses, with its fields and types', async () => {
    const found: string[] = [];
    for (const row of goldenRows('definitions-synthetic')) {
      found.push(...(await differences(row, own(row, 'old'), own(row, 'new') ?? null)));
    }
    expect(found).to.deep.equal([]);
  });

  it('refuses of random definitions what the API server of each minor refuses', async () => {
    const found: string[] = [];
    for (const row of goldenRows('definitions-mutated')) {
      found.push(...(await differences(row, own(row, 'old'), own(row, 'new') ?? null)));
    }
    expect(found).to.deep.equal([]);
  });

  it('estimates what each rule costs as the API server of each minor does', () => {
    const found: string[] = [];
    let estimates = 0;
    for (const row of goldenRows('definitions-mutated')) {
      for (const [range, costs] of Object.entries(object(own(row, 'costs')))) {
        for (const minor of minorsOf(range)) {
          for (const { field, estimated } of costsOf(object(own(row, 'new'))).estimates([minor])) {
            // A sum of a schema is no expression; what stands beside errors, servers do not look at.
            const wanted = own(object(costs), field);
            if (wanted === undefined) continue;
            estimates++;
            if (String(estimated) !== wanted) found.push(`${row.id} ${minor} ${field}`);
          }
        }
      }
    }
    expect(found).to.deep.equal([]);
    expect(estimates).to.be.above(1_000);
  });

  it('names bounds under which the API server of each minor takes a rule that costs too much', () => {
    const found: string[] = [];
    let asked = 0;
    for (const row of goldenRows('definitions-bounds')) {
      const definition = object(own(row, 'new'));
      for (const [minor, told] of Object.entries(object(own(row, 'costs')))) {
        const wanted = typeof told === 'string' ? told : '';
        const costs = costsOf(definition);
        const cost = costs.estimates([minor]).find(({ field }) => field === own(row, 'field'));
        const [explained] = cost === undefined ? [] : costs.explain([cost]);
        const way = cost && explained && boundWay({ ...cost, ...explained });
        if (cost === undefined || way === undefined) {
          found.push(`${row.id} ${minor}: no bounds`);
          continue;
        }
        const bounded = jsonPatch.applyPatch(parseJson(stringifyJson(definition)), way.patch);
        const after = costsOf(bounded.newDocument as JsonObject).estimates([minor]);
        const estimated = after.find((each) => each.field === own(row, 'field'))?.estimated;
        asked++;
        // What the server's own code says of the definition with these bounds.
        if (String(estimated) !== wanted || BigInt(wanted) > cost.limit) {
          found.push(`${row.id} ${minor}: ${String(estimated)} for ${wanted}`);
        }
      }
    }
    expect(found).to.deep.equal([]);
    expect(asked).to.be.above(60);
  });
});

describeReleases('golden: definition, releases of public operators', () => {
  it('says of them what API servers say, and how large they are', async function () {
    this.timeout(600_000);
    const pairs = new Map(releaseRows('real/crd-pairs.jsonl.br').map((pair) => [pair.id, pair]));
    const found: string[] = [];
    for (const row of releaseRows('golden/definitions-real.jsonl.br')) {
      const pair = pairs.get(row.id) ?? { id: row.id };
      const next = own(pair, 'new') ?? null;
      found.push(...(await differences(row, own(pair, 'old'), next)));
      const given = object(own(await answer('definition', { new: next }), 'output'));
      const { json, lastApplied, annotations } = object(own(given, 'sizes'));
      const { json: wanted, annotation, annotations: all } = object(own(row, 'bytes'));
      const sizes = [json, lastApplied, annotations].map(Number).join();
      if (sizes !== [wanted, annotation, all].map(Number).join()) found.push(`${row.id} sizes`);
    }
    expect(found).to.deep.equal([]);
  });
});
