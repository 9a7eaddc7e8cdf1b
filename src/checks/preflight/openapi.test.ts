import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { answer, goldenRows } from '../../../test/golden/golden.js';
import {
  isObject,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import type { Verdict } from '../../rule/index.js';
import { operations } from '../operations/table.js';
import { openApiDocument, preflightPath } from './openapi.js';

describe('preflight: OpenAPI', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(openApiDocument()));
    expect(errors ?? [], JSON.stringify(errors)).to.deep.equal([]);
    expect(valid).to.equal(true);
  });

  it('has a path for every operation of the table', () => {
    const paths = Object.keys(openApiDocument()['paths'] as object);
    expect(paths).to.have.members([
      preflightPath,
      ...operations.map(({ name }) => `${preflightPath}/${name}`),
    ]);
  });
});

describe('preflight: answers', () => {
  const document = openApiDocument() as { components: { schemas: Record<string, object> } };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const isVerdict = ajv.compile({
    $ref: '#/components/schemas/Verdict',
    components: document.components,
  });
  const seen = new Set<string>();

  /** What the NDJSON door says, parsed from its text. */
  async function check(operation: string, input: JsonValue): Promise<void> {
    const said = await answer(operation, input);
    const verdict = JSON.parse(stringifyJson(said['verdict'] ?? null)) as Verdict;
    if (said['error'] !== undefined) return;
    expect(
      isVerdict(verdict),
      `${operation}: ${ajv.errorsText(isVerdict.errors)} ${JSON.stringify(isVerdict.errors?.map(({ params }) => params))}`,
    ).to.equal(true);
    for (const finding of verdict.findings) for (const key of Object.keys(finding)) seen.add(key);
  }

  const golden: [file: string, operation: string, count: number, more: JsonObject][] = [
    ['crd-unhandled', 'crd', 40, { profile: 'olm-v1.10', rollback: true, allowedHarm: true }],
    ['crd-synthetic', 'crd', 60, { profile: 'proof', rollback: true }],
    ['crd-unhandled', 'crd', 10, {}],
    ['catalog', 'catalog', 40, {}],
    ['install-modes', 'install-modes', 20, {}],
    ['operatorgroup-targets', 'operatorgroup-targets', 20, {}],
    ['resolve', 'resolve', 10, {}],
    ['bundle-olm-v1', 'bundle', 20, {}],
  ];
  for (const [file, operation, count, more] of golden) {
    it(`of ${operation} have no field that the document leaves out (${file})`, async function () {
      this.timeout(60_000);
      for (const row of goldenRows(file).slice(0, count)) {
        const { input, old, new: next } = row;
        const asked = isObject(input ?? null)
          ? (input as JsonObject)
          : { old: old ?? null, new: next ?? null };
        await check(operation, { ...asked, ...more });
      }
    });
  }

  it('of definition have no field that the document leaves out', async () => {
    for (const { old, new: next } of goldenRows('definitions-mutated').slice(0, 60)) {
      await check('definition', { new: next ?? null, ...(old === undefined ? {} : { old }) });
    }
  });

  it('of a definition that controller-gen made, with a dot in a name', async () => {
    const made = (schema: JsonObject): JsonObject => {
      const definition = exampleOfSpec({ type: 'object', properties: { 'a.b': schema } });
      const annotations = { 'controller-gen.kubebuilder.io/version': 'v0.20.0' };
      const metadata = { ...(definition['metadata'] as JsonObject), annotations };
      return { ...definition, metadata };
    };
    const before = made({ type: 'object', properties: { n: { type: 'integer' }, gone: { type: 'string' } } }); // prettier-ignore
    const after = made({ type: 'object', properties: { n: { type: 'integer', minimum: 3 } } });
    await check('crd', { old: before, new: after });
    await check('crd', { old: before, new: after, profile: 'olm-v1.10' });
  });

  it('of a status that loses a field', async () => {
    const made = (status: JsonObject): JsonObject => {
      const definition = exampleOfSpec({ type: 'object' });
      const version = {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', properties: { status } } },
      };
      return {
        ...definition,
        spec: { ...(definition['spec'] as JsonObject), versions: [version] },
      };
    };
    const before = made({ type: 'object', properties: { phase: { type: 'string' } } });
    await check('crd', { old: before, new: made({ type: 'object' }) });
  });

  it('have had every field of a finding', () => {
    const known = Object.keys(
      (document.components.schemas['Finding'] as { properties: object }).properties,
    );
    // Said of plans and reports alone.
    const elsewhere = ['foundBy'];
    expect(known.filter((field) => !seen.has(field) && !elsewhere.includes(field))).to.deep.equal(
      [],
    );
  });

  it('name pages by addresses that a program can open', async () => {
    const said = await answer('crd', {
      old: goldenRows('crd-synthetic')[0]?.['old'] ?? null,
      new: goldenRows('crd-synthetic')[0]?.['new'] ?? null,
    });
    const { findings } = JSON.parse(stringifyJson(said['verdict'] ?? null)) as Verdict;
    expect(findings.length).to.be.above(0);
    for (const { docs } of findings) expect(new URL(docs).protocol).to.equal('https:');
  });
});
