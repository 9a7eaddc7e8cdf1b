import {
  definitionFindings,
  type ExplainedCost,
  explainedCosts,
  unknownFieldFindings,
  withSoundFixes,
} from '../../upgrade/index.js';
import {
  askedMinors,
  DefinitionReview,
  knownMinors,
  newestMinor,
  sizesOf,
} from '../../kubernetes/index.js';
import { NumberText, type JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import { integer, list, record, requiring, text } from './schemas.js';
import { defineOperation } from './operation.js';

interface Input {
  readonly old?: JsonObject;
  readonly new: JsonObject;
  readonly kubernetes?: readonly string[];
}

const place = record({
  path: text,
  keyword: { enum: ['maxItems', 'maxProperties', 'maxLength'] },
  now: { type: 'integer', description: 'What the schema says.' },
  elsewhere: { type: 'integer', description: 'What allOf says, which servers do not count.' },
  most: { type: 'integer', description: 'The loosest bound that is enough with the others.' },
});

export const definition = defineOperation<Input>({
  name: 'definition',
  summary: `What API servers of Kubernetes ${knownMinors[0] ?? ''} to ${newestMinor} would say to a create of a CustomResourceDefinition, or to an update from the old one, and how large it is.`,
  input: requiring(['new'], {
    old: { type: 'object', description: 'The stored definition; with it the write is an update.' },
    new: { type: 'object', description: 'The definition that is written.' },
    kubernetes: {
      type: 'array',
      minItems: 1,
      items: text,
      description:
        'Minors, as in 1.30 or 1.30..1.36; the newest known one by default, and for newer ones.',
    },
  }),
  output: record({
    refusals: list(
      record({
        kubernetes: list(text),
        on: { enum: ['create', 'update'] },
        field: text,
        type: text,
        message: text,
      }),
    ),
    costs: {
      type: 'array',
      description: 'Of rules, messages and whole schemas from four fifths of their limit on.',
      items: record({
        field: text,
        kubernetes: list(text),
        estimated: integer,
        limit: integer,
        multipliedBy: list(place),
        bounds: list(place),
      }),
    },
    sizes: record({
      json: { type: 'integer', description: 'bytes' },
      lastApplied: { type: 'integer', description: 'bytes' },
      annotations: { type: 'integer', description: 'bytes' },
      limits: list({ type: 'object' }),
      descriptions: { type: 'object' },
    }),
  }),
  judge({ old, new: next, kubernetes = [newestMinor] }) {
    const { all: minors, warnings = [] } = askedMinors(kubernetes.join(','));
    const review = new DefinitionReview(next, old);
    const refusals = review.refusals(old === undefined ? 'create' : 'update', minors);
    const sizes = sizesOf(next);
    const costs = explainedCosts(review, minors);
    return {
      allowed: refusals.length === 0,
      findings: withSoundFixes(
        [...definitionFindings(next, refusals, sizes, { costs }), ...unknownFieldWarnings(next)],
        next,
        old,
        minors,
      ),
      warnings,
      output: { refusals, costs: costs.map(toldCost), sizes },
    };
  },
});

/** Unless they are asked to validate strictly, API servers take the definition without these fields. */
function unknownFieldWarnings(definition: JsonObject): Finding[] {
  return unknownFieldFindings(definition).map((each) => ({ ...each, severity: 'warning' }));
}

function toldCost({ estimated, limit, bounds, ...cost }: ExplainedCost) {
  return {
    ...cost,
    estimated:
      estimated > Number.MAX_SAFE_INTEGER ? new NumberText(String(estimated)) : Number(estimated),
    limit: Number(limit),
    bounds: bounds.map(({ path, keyword, now, most }) => ({ path, keyword, now, most })),
  };
}
