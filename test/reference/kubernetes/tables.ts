/**
 * `npm run reference -- tables-1.35`: puts the questions of apiextensions-apiserver's own tests to ours. One that
 * ours answers otherwise is put to the minor's whole registry as well: where that agrees with ours, the
 * test asks for one step that no API server takes alone.
 */
import { Correlated } from '../../../src/kubernetes/apiserver/equality.js';
import { BadRequest, type FieldError } from '../../../src/kubernetes/apiserver/field-error.js';
import { validateLists } from '../../../src/kubernetes/apiserver/extensions.js';
import { compileSchema, ratcheted } from '../../../src/kubernetes/apiserver/open-api.js';
import { Defaults, pruneRoot } from '../../../src/kubernetes/apiserver/prepare.js';
import { compileRules } from '../../../src/kubernetes/apiserver/rules/compile-rules.js';
import { distinct, type SchemaError } from '../../../src/kubernetes/apiserver/schema-errors.js';
import { costsOf, judgeDefinition } from '../../../src/kubernetes/definition/testing/judge-definition.js'; // prettier-ignore
import {
  compileValidator,
  languageOf,
  readSchema,
  releaseFor,
  traitsOf,
} from '../../../src/kubernetes/index.js';
import { InvalidInputError, isObject, own, stringifyJson, type JsonObject, type JsonValue } from '../../../src/text/documents/index.js'; // prettier-ignore
import { exampleDefinition, exampleOfSpec } from '../../../src/upgrade/rules/crd/example-definition.js'; // prettier-ignore
import { compare, type Outcome, type Question, type Suite } from '../../conformance/suite.js';
import { causesOf, sameJson } from '../../golden/golden.js';
import { ask, build } from '../program.js';
import { references } from '../references.js';
import { moduleFiles, versionIn } from './module-files.js';
import {
  tableQuestions,
  type ChangeQuestion,
  type CostQuestion,
  type Refused,
  type TableQuestion,
  type ValueQuestion,
} from './table-questions.js';

const notAsked = (reason: string): Outcome => ({ kind: 'not asked', reason });

function outcomeOf(question: TableQuestion, minor: string): Outcome {
  try {
    switch (question.table) {
      case 'definitions':
        return judged(question.answer, judgeDefinition(question.new, question.old, [minor]));
      case 'schemas':
        return judged(
          question.answer,
          judgeDefinition(exampleDefinition(question.schema ?? {}), undefined, [minor]),
          question.path,
        );
      case 'costs':
        return costs(question, minor);
      case 'pruning':
      case 'nulls':
      case 'metadata':
      case 'defaults':
        return changed(question);
      default:
        return judgedValue(question, minor);
    }
  } catch (error) {
    if (error instanceof InvalidInputError) {
      return notAsked('a schema, or none, that no API server takes');
    }
    throw error;
  }
}

function judged(answer: readonly Refused[], ours: readonly object[], path?: string): Outcome {
  const inPath = ours.filter(
    (each) => path === undefined || (each as Refused).field.startsWith(path),
  );
  return compare(causesOf(answer as unknown as JsonValue), causesOf(inPath as JsonValue));
}

function costs({ schema, isStored, answer }: CostQuestion, minor: string): Outcome {
  const definition = exampleOfSpec(schema);
  const old = isStored ? definition : undefined;
  const refused = judgeDefinition(definition, old, [minor]);
  const estimated = costsOf(definition).estimates([minor]);
  const ours = answer.map((_, index) => {
    const field = `properties[spec].x-kubernetes-validations[${index}].rule`;
    const isHere = (each: { readonly field: string }): boolean => each.field.endsWith(field);
    const isRefused = refused.some((each) => isHere(each) && each.type === 'FieldValueInvalid');
    return isRefused ? 'refused' : String(estimated.find(isHere)?.estimated ?? 0);
  });
  const theirs = answer.map(({ error, cost }) => (error === undefined ? cost : 'refused'));
  return compare(theirs.join(), ours.join());
}

function changed({ table, schema, isRoot, value, answer, error }: ChangeQuestion): Outcome {
  const node = readSchema(schema ?? {}, '$');
  let ours: JsonValue;
  try {
    if (table === 'defaults') ours = new Defaults(node).apply(value);
    else if (isRoot && isObject(value)) ours = pruneRoot(value, node);
    else {
      const whole = readSchema({ type: 'object', properties: { spec: schema ?? {} } }, '$');
      ours = own(pruneRoot({ spec: value }, whole), 'spec') ?? null;
    }
  } catch (refused) {
    if (!(refused instanceof BadRequest)) throw refused;
    return compare(error === undefined ? 'taken' : 'refused', 'refused');
  }
  if (error !== undefined) return compare('refused', 'taken');
  return sameJson(answer, ours)
    ? { kind: 'same' }
    : compare(stringifyJson(answer), stringifyJson(ours));
}

const costWords = /cost|budget|operation interrupted/;

function judgedValue(question: ValueQuestion, minor: string): Outcome {
  const { table, path, schema, isRoot, value, old, isRatcheting, isNoJSON, budget, answer } =
    question;
  if (schema === null) return notAsked('a schema, or none, that no API server takes');
  if (answer.some(({ detail }) => costWords.test(detail)) || (budget ?? 1e7) !== 1e7) {
    return notAsked('what evaluations cost, which is not counted here');
  }
  if (isNoJSON === true) return notAsked('values of a type of Go that JSON does not have');
  const node = readSchema(schema, '$');
  const at = path === '<nil>' ? '' : path;
  const correlated =
    isRatcheting === true && old !== undefined ? new Correlated(value, old, node) : undefined;
  let ours: FieldError[] = [];
  if (table === 'lists') validateLists(value, node, at, ours);
  else if (table === 'values') {
    const found: SchemaError[] = [];
    ratcheted(compileSchema(node, releaseFor(minor)), value, at, found, correlated);
    ours = distinct(found);
  } else {
    const traits = traitsOf(minor);
    const rules = compileRules(node, isRoot, languageOf(traits, true));
    const found = rules?.evaluate(value, old, correlated, { path: at, ...traits });
    if ((found?.notEvaluated.length ?? 0) > 0) return compare(lines(answer), 'not evaluated');
    ours = [...(found?.errors ?? [])];
  }
  return compare(lines(answer), lines(ours));
}

function lines(errors: readonly Refused[]): string {
  return errors
    .map(({ type, field, detail }) => `${type} ${field === '<nil>' ? '' : field}: ${detail}`)
    .sort()
    .join('\n');
}

const library = 'k8s.io/apiextensions-apiserver';

/** Runs the tests of the minor. */
export async function tablesSuite(minor: string): Promise<Suite> {
  const questions = tableQuestions(minor);
  const outcomes = questions.map((question) => outcomeOf(question, minor));
  const open = [...outcomes.keys()].filter((index) => outcomes[index]?.kind === 'different');
  const agreed = await agreedByRegistry(minor, open, questions);
  return {
    name: `Kubernetes ${minor}, tables of apiextensions-apiserver`,
    source: `its tests, ${versionIn(moduleFiles.get(minor) ?? 'go.mod', library)}`,
    *questions(): Generator<Question> {
      for (const [index, question] of questions.entries()) {
        const outcome = agreed.has(index)
          ? notAsked(
              'one step alone, or with options of another version; the whole registry is asked instead, and answers as ours',
            )
          : (outcomes[index] as Outcome);
        yield {
          name: `${question.table}/${index}${'isRoot' in question ? ` ${stringifyJson(question.schema)}` : ''}`,
          text: stringifyJson({ ...question, answer: null }),
          ask: () => outcome,
        };
      }
    },
    differences: [
      {
        questions: /^rules\/\d+ .*'%e'\.format/,
        because:
          'up to 1.32 cel-go writes an exponent in raised digits; rules of objects are evaluated as by 1.35 here.',
      },
      {
        questions: /^values\/\d+ .*"maxLength"/,
        because:
          'up to 1.31 `maxLength` has another text; objects are judged in the words of 1.35 here.',
      },
    ],
  };
}

const isPreparing = ({ name, tags }: (typeof references)[number]): boolean =>
  name.startsWith('definitions-') && tags === undefined;

/** Which questions the minor's whole registry answers as ours does. */
async function agreedByRegistry(
  minor: string,
  open: readonly number[],
  questions: readonly TableQuestion[],
): Promise<ReadonlySet<number>> {
  const reference = references.find(({ name }) => name === `definitions-${minor}`);
  if (reference === undefined) throw new Error(`no program for ${minor}`);
  const program = build(reference);
  const agreed = new Set<number>();
  const whole = open.flatMap((index) => {
    const asked = definitionsOf(questions[index] as TableQuestion);
    return asked === undefined ? [] : [{ index, ...asked }];
  });
  const texts = whole.map(({ new: next, old }) =>
    stringifyJson({ new: next, ...(old && { old }) }),
  );
  for (const [at, answer] of (await ask(program, ['definitions'], texts)).entries()) {
    const { index, new: next, old } = whole[at] as (typeof whole)[number];
    const ours = causesOf(judgeDefinition(next, old, [minor]) as unknown as JsonValue);
    if (causesOf(own(answer, old === undefined ? 'create' : 'update')) === ours) agreed.add(index);
  }
  // Built with tags it prepares no objects; the oldest minor that does prepares them by the same functions.
  const preparing =
    reference.tags === undefined
      ? program
      : build(references.find(isPreparing) as (typeof references)[number]);
  const objects = open.flatMap((index) => {
    const asked = objectOf(questions[index] as TableQuestion);
    return asked === undefined ? [] : [{ index, ...asked }];
  });
  const prepared = objects.map(({ crd, object }) => stringifyJson({ crd, version: 'v1', object }));
  for (const [at, answer] of (await ask(preparing, ['prepared'], prepared)).entries()) {
    const { index, crd, object } = objects[at] as (typeof objects)[number];
    if (sameJson(preparedHere(crd, object), own(answer, 'object') ?? null)) agreed.add(index);
  }
  return agreed;
}

function definitionsOf(
  question: TableQuestion,
): { readonly new: JsonObject; readonly old?: JsonObject } | undefined {
  switch (question.table) {
    case 'definitions':
      return question;
    case 'schemas':
      return { new: exampleDefinition(question.schema ?? {}) };
    case 'costs':
      return { new: exampleOfSpec(question.schema) };
    default:
      return undefined;
  }
}

/** A value of a schema as part of an object, or as a whole one. */
function objectOf(
  question: TableQuestion,
): { readonly crd: JsonObject; readonly object: JsonObject } | undefined {
  if (!('isRoot' in question) || 'path' in question) return undefined;
  const { schema, isRoot, value } = question;
  const meta = { apiVersion: 'example.com/v1', kind: 'Widget' };
  if (!isRoot) return { crd: exampleOfSpec(schema ?? {}), object: { ...meta, spec: value } };
  return isObject(value)
    ? { crd: exampleDefinition(schema ?? {}), object: { ...value, ...meta } }
    : undefined;
}

/** Null where it cannot be decoded. */
function preparedHere(crd: JsonObject, object: JsonObject): JsonObject | null {
  try {
    return compileValidator(crd, 'v1').pruneAndDefault(object);
  } catch (error) {
    if (error instanceof BadRequest) return null;
    throw error;
  }
}
