/** Profile `proof` against known witnesses: found by trying objects on Kubernetes' own validation. */
import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { compileValidator } from '../../src/kubernetes/apiserver/validator.js';
import { answer, goldenRows, type GoldenRow } from './golden.js';
import { describeReleases, releaseRows } from './releases.js';

interface Judged {
  readonly row: GoldenRow;
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly effect: JsonValue | undefined;
  readonly results: readonly JsonObject[];
}

/** `known`: rows of crd-breaking. */
async function judge(
  pairs: readonly GoldenRow[],
  known: ReadonlyMap<string, GoldenRow>,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const pair of pairs) {
    const row = known.get(pair.id);
    if (row === undefined || row['newCrdInvalid'] === true || row['oldCrdInvalid'] === true)
      continue;
    const [old, next] = [own(pair, 'old') as JsonObject, own(pair, 'new') as JsonObject];
    // With fixes, which golden/crd leaves out.
    const { output } = await answer('crd', { old, new: next, profile: 'proof', fixes: true });
    if (!isObject(output)) throw new Error(`${pair.id} got no output`);
    const results = (own(output, 'results') as JsonValue[]).filter(isObject);
    judged.push({ row, old, new: next, effect: own(output, 'effect'), results });
  }
  return judged;
}

/** `least`: the share of known breaks that must be found. */
function itProves(
  pairs: () => readonly GoldenRow[],
  known: () => readonly GoldenRow[],
  least: number,
): void {
  let judged: Judged[] = [];
  before(async function () {
    this.timeout(300_000);
    const rows = known().map((row): [string, GoldenRow] => [row.id, row]);
    judged = await judge(pairs(), new Map(rows));
  });

  const isBroken = ({ row }: Judged): boolean => row['breaking'] === true;
  const isLossy = ({ row }: Judged): boolean =>
    row['breaking'] !== true && row['dataLoss'] === true;

  it('finds what breaks', () => {
    const all = judged.filter((each) => isBroken(each) || isLossy(each));
    const found = all.filter(({ effect, row }) =>
      row['breaking'] === true
        ? effect === 'breaking'
        : effect === 'breaking' || effect === 'data-loss',
    );
    expect(all.length).to.be.greaterThan(20);
    expect(found.length / all.length).to.be.at.least(least);
  });

  it('calls nothing safe that breaks', () => {
    const wrong = judged.filter(
      (each) =>
        (isBroken(each) || isLossy(each)) && (each.effect === 'safe' || each.effect === 'behavior'),
    );
    expect(wrong.map(({ row }) => row.id)).to.deep.equal([]);
  });

  it('calls equal schemas safe', () => {
    const equal = judged.filter(({ row }) => row['status'] === 'equal');
    const doubted = equal.filter(({ results }) =>
      results.some(
        (result) => own(result, 'effect') !== 'safe' && own(result, 'from') === undefined,
      ),
    );
    expect(equal.length).to.be.greaterThan(20);
    expect(doubted.map(({ row }) => row.id)).to.deep.equal([]);
  });

  it('gives a reason for every entry', () => {
    const silent = judged.flatMap(({ row, results }) =>
      results.filter((result) => !own(result, 'reason')).map(() => row.id),
    );
    expect(silent).to.deep.equal([]);
  });

  it('says of what breaks that some write is not accepted', () => {
    const contradicted = judged.flatMap(({ row, results }) =>
      results
        .filter((result) => own(result, 'effect') === 'breaking')
        .map((result) => own(result, 'stored') as JsonObject | undefined)
        .filter((stored) =>
          ['create', 'update', 'status'].every(
            (write) => (own(stored ?? {}, write) ?? 'accepted') === 'accepted',
          ),
        )
        .map(() => row.id),
    );
    expect(contradicted).to.deep.equal([]);
  });

  it('shows witnesses that hold', () => {
    for (const { row, old, new: next, results } of judged) {
      for (const result of results) {
        const witness = own(result, 'witness');
        if (own(result, 'effect') !== 'breaking' || witness === undefined || !isObject(witness))
          continue;
        if (own(witness, 'old') !== undefined || own(result, 'from') !== undefined) continue;
        const version = own(result, 'version') as string;
        const before = compileValidator(old, version).validateCreate(witness);
        expect(before.valid, `${row.id}: the old schema accepts`).to.equal(true);
        const identity = {
          ...(own(next, 'spec') as JsonObject),
          ...pick(own(old, 'spec') as JsonObject),
        };
        const after = compileValidator({ ...next, spec: identity }, version).validateCreate(
          witness,
        );
        expect(after.valid, `${row.id}: the new schema refuses`).to.equal(false);
      }
    }
  });
}

describe('golden: proof', () => {
  const pairs = () => goldenRows('crd-synthetic');
  itProves(pairs, () => goldenRows('crd-breaking'), 0.95);
});

describeReleases('golden: proof, on releases of public operators', () => {
  const pairs = () => releaseRows('real/crd-pairs.jsonl.br');
  itProves(pairs, () => releaseRows('golden/crd-breaking.jsonl.br'), 0.97);
});

/** What the API server never lets change. */
function pick(spec: JsonObject): JsonObject {
  return Object.fromEntries(
    ['group', 'names', 'scope'].flatMap((key) => {
      const value = own(spec, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
