/**
 * Proofs about definitions in the shapes of public operators' ones, on a real API server: every
 * witness can be created before the upgrade, and afterwards comes to what its finding says.
 */
import { expect } from 'chai';
import { type ProofResult } from '../../src/upgrade/proof/index.js';
import { proveDocuments } from '../../src/upgrade/proof/testing/prove-documents.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import type { KubernetesBody } from '../apiserver/request.js';
import { install, objectsOf, replace } from './replaced-definition.js';
import { shapes, type Shape } from './shapes.js';

interface Shown {
  readonly name: string;
  readonly result: ProofResult;
  /** What is created before the upgrade. */
  readonly created: JsonObject;
  /** What is written after it. */
  readonly written: JsonObject;
  readonly isUpdate: boolean;
}

function shownBy({ old, new: next }: Shape): Shown[] {
  const { results } = proveDocuments(old, next);
  return results
    .filter(({ effect }) => effect === 'breaking' || effect === 'data-loss')
    .map((result, index) => {
      const witness = result.witness ?? null;
      if (!isObject(witness)) throw new Error(`${result.path} has no witness`);
      const [before, after] = [own(witness, 'old'), own(witness, 'new')] as JsonObject[];
      return {
        name: `witness-${index}`,
        result,
        created: before ?? witness,
        written: after ?? witness,
        isUpdate: before !== undefined,
      };
    });
}

describe('a proof about shapes of public operators', () => {
  const cluster = useCluster();

  const named = (object: JsonObject, name: string): JsonObject => {
    const namespace = own(object['metadata'] as JsonObject, 'namespace');
    return { ...object, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
  };

  /** What the API server says to the witness, as it was written or as it is stored. */
  async function refusalOf(url: string, shown: Shown): Promise<KubernetesBody | undefined> {
    const { body: stored } = await cluster().request('GET', `${url}/${shown.name}`);
    if (shown.isUpdate) {
      const { name, resourceVersion = '' } = stored.metadata ?? {};
      const metadata = { name: name ?? '', namespace: 'default', resourceVersion };
      const update = { ...shown.written, metadata };
      const { code, body } = await cluster().request('PUT', `${url}/${shown.name}`, update);
      return code === 422 ? body : undefined;
    }
    for (const object of [shown.written, stored as unknown as JsonObject]) {
      const again = named(object, 'again');
      const { code, body } = await cluster().request('POST', `${url}?dryRun=All`, again);
      if (code === 422) return body;
    }
    return undefined;
  }

  for (const shape of shapes) {
    it(`${shape.title}: each witness comes to what its finding says`, async () => {
      const all = shownBy(shape);
      const harmed = new Set(all.map(({ result }) => result.path));
      expect([...harmed].sort()).to.deep.equal(shape.harmed);
      await install(cluster(), shape.old);
      const url = objectsOf(shape.old);
      for (const { name, created } of all) {
        const { code, body } = await cluster().request('POST', url, named(created, name));
        expect(code, JSON.stringify(body)).to.equal(201);
      }
      const broken = all.filter(({ result }) => result.effect === 'breaking');
      const first = broken.find(({ isUpdate }) => !isUpdate);
      if (first === undefined) throw new Error('nothing breaks on create');
      await replace(cluster(), shape.new, async () => (await refusalOf(url, first)) !== undefined);
      for (const shown of broken) {
        const refusal = await refusalOf(url, shown);
        const said = JSON.stringify([shown.result.reason, refusal]);
        expect(refusal, said).not.to.equal(undefined);
        const causes = refusal?.details?.causes ?? [];
        expect(
          causes.some((cause) => isOf(cause, shown.result)),
          said,
        ).to.equal(true);
      }
      for (const { name, result } of all.filter((each) => !broken.includes(each))) {
        const { code, body } = await cluster().request('GET', `${url}/${name}`);
        expect(code, 'it is still there').to.equal(200);
        const path = /values lost: ([^,]+)/.exec(result.reason)?.[1] ?? '';
        expect(path, result.reason).not.to.equal('');
        expect(at(body as unknown as JsonObject, path), path).to.equal(undefined);
      }
    });
  }
});

/** Whether a cause is what the finding tells: its field, and the end of its text. */
function isOf(
  { field = '', message = '' }: { readonly field?: string; readonly message?: string },
  { reason }: ProofResult,
): boolean {
  const text = reason.slice(reason.indexOf('; ') + 2);
  return text.includes(`${field}: `) && message.includes(text.split(': ').at(-1) ?? text);
}

/** The value at `.spec.list[0].name`. */
function at(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path.split(/[.[\]]+/).filter((each) => each !== '')) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = value !== undefined && isObject(value) ? own(value, step) : undefined;
  }
  return value;
}
