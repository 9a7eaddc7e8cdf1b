import { defineRule, from, sources, type Finding } from '../../../rule/index.js';
import { textAt } from '../../../text/documents/fields.js';
import { InvalidInputError, parseJson } from '../../../text/documents/index.js';
import { rangeProblem } from '../../catalogs/validate.js';
import type { Csv } from '../../objects/classic-objects.js';
import { type Bundle, locate, type Part } from './bundle.js';
import { exampleCrd, exampleCsv, documents, ownsCats } from './example-bundle.js';
import { attempt } from '../../once.js';

/** The first is read, where both are there. */
const exampleAnnotations = ['alm-examples', 'olm.examples'];

const annotated = (annotations: string): string =>
  documents(
    exampleCsv({ owned: ownsCats }).replace(
      'metadata: { ',
      `metadata: { annotations: { ${annotations} }, `,
    ),
    exampleCrd(),
  );

export const csvAnnotationRules = {
  examples: defineRule({
    id: 'BundleExamples',
    family: 'catalogs',
    subject: 'bundle',
    severity: 'error',
    checks:
      'The annotation alm-examples is a JSON list of objects of APIs that the ClusterServiceVersion owns.',
    why: 'operator-sdk bundle validate refuses the bundle otherwise, and consoles show no examples.',
    otherwise: 'Error: Value …: example must have a provided API',
    instead: 'Write objects of the owned APIs, with the same kind and version.',
    source: from.olmApi(
      'pkg/validation/internal/csv.go',
      'validateExamplesAnnotations',
      'matchGVKProvidedAPIs',
    ),
    messages: {
      json: 'annotation {annotation} {problem}',
      list: 'annotation {annotation} is no list of objects with apiVersion and kind',
      unowned:
        'annotation {annotation} has an example of {apiVersion}, Kind={kind}, which {csv} does not own',
    },
    example: {
      after: annotated(`alm-examples: '[{"apiVersion": "example.com/v1", "kind": "Dog"}]'`),
      says: 'has an example of example.com/v1, Kind=Dog, which cats.v1.0.0 does not own',
      accepted: annotated(`alm-examples: '[{"apiVersion": "example.com/v1", "kind": "Cat"}]'`),
    },
  }),
  skipRange: defineRule({
    id: 'BundleSkipRange',
    family: 'catalogs',
    subject: 'bundle',
    severity: 'warning',
    checks: 'OLM can read the annotation olm.skipRange of a ClusterServiceVersion.',
    why: 'A catalog that is made of the bundle takes the range over, and opm refuses that catalog.',
    instead: 'Write a range such as ">=1.0.0 <1.2.0".',
    source: sources(
      from.operatorRegistry('alpha/model/model.go', 'Validate'),
      from.olmPages('Creating an Update Graph'),
    ),
    messages: { unreadable: 'OLM cannot read the olm.skipRange "{range}": {problem}' },
    example: {
      after: annotated("olm.skipRange: '>=1.0 until 1.2'"),
      says: 'OLM cannot read the olm.skipRange',
      accepted: annotated("olm.skipRange: '>=1.0.0 <1.2.0'"),
    },
  }),
};

export function* checkCsvAnnotations({ csv }: Bundle): Generator<Finding> {
  if (csv === undefined) return;
  yield* checkExamples(csv);
  const range = csv.value.annotations.get('olm.skipRange') ?? '';
  const problem = range === '' ? undefined : rangeProblem(range);
  if (problem === undefined) return;
  const finding = csvAnnotationRules.skipRange.finding({
    ...{ id: 'unreadable', data: { range, problem } },
  });
  yield locate(finding, csv, 'metadata', 'annotations', 'olm.skipRange');
}

function* checkExamples(csv: Part<Csv>): Generator<Finding> {
  const { annotations, ownedCrds, ownedApiServices, name } = csv.value;
  const annotation = exampleAnnotations.find((each) => annotations.has(each));
  const text = annotation === undefined ? '' : annotations.get(annotation);
  if (annotation === undefined || text === undefined || text === '') return;
  const { examples: rule } = csvAnnotationRules;
  const at = (finding: Finding): Finding =>
    locate(finding, csv, 'metadata', 'annotations', annotation);
  const examples = attempt(InvalidInputError, () => parseJson(text));
  if (examples instanceof InvalidInputError) {
    yield at(rule.finding({ id: 'json', data: { annotation, problem: examples.message } }));
    return;
  }
  if (!Array.isArray(examples)) {
    yield at(rule.finding({ id: 'list', data: { annotation } }));
    return;
  }
  const owned = new Set(
    [
      ...ownedCrds.map((each) => ({ ...each, group: each.name.replace(/^[^.]*\./, '') })),
      ...ownedApiServices,
    ].map(({ group, version, kind }) => `${group}/${version} ${kind}`),
  );
  const unowned = new Map<string, Finding>();
  for (const example of examples) {
    const [apiVersion, kind] = [textAt(example, 'apiVersion'), textAt(example, 'kind')];
    if (apiVersion === undefined || kind === undefined) {
      yield at(rule.finding({ id: 'list', data: { annotation } }));
      return;
    }
    const api = `${apiVersion.includes('/') ? '' : '/'}${apiVersion} ${kind}`;
    if (owned.has(api) || unowned.has(api)) continue;
    const data = { annotation, apiVersion, kind, csv: name };
    unowned.set(api, at(rule.finding({ id: 'unowned', data })));
  }
  yield* unowned.values();
}
