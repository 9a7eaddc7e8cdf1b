import { ValidatorCache, sortErrors, type Release } from '../../kubernetes/index.js';
import {
  invalidInput,
  isObject,
  type JsonObject,
  type JsonValue,
  metaOf,
  readList,
} from '../../text/documents/index.js';
import { type Finding, referenceTo } from '../../rule/index.js';
import { findingNamed } from '../../policy/index.js';
import {
  flag,
  integer,
  list,
  optionalFlag,
  record,
  releaseSchema,
  requiring,
  text,
} from './schemas.js';
import { defineOperation } from './operation.js';
import {
  emptyTally,
  planStored,
  storedFindings,
  StoredJudge,
  type StoredTally,
} from '../../upgrade/index.js';

/** One for the process: a definition's compiled validator serves every question that brings it. */
export const validators = new ValidatorCache();

interface Input {
  readonly crd: JsonObject;
  readonly version: string;
  readonly objects: readonly JsonValue[];
  readonly oldObjects?: readonly JsonValue[];
  readonly release?: Release;
}

const rule = 'StoredObject';

export const crdObjects = defineOperation<Input>({
  name: 'crd-objects',
  summary:
    'What the API server would say to a create of each custom resource, or to an update from the old ones.',
  input: requiring(['crd', 'version', 'objects'], {
    crd: { type: 'object', description: 'the CustomResourceDefinition' },
    version: { type: 'string', description: 'the version under which the objects are written' },
    objects: { type: 'array', description: 'the custom resources' },
    oldObjects: {
      type: 'array',
      description: 'the stored objects in the same order; with them each write is an update',
    },
    release: releaseSchema,
  }),
  output: record({
    results: list(
      record({
        valid: optionalFlag,
        errors: list(record({ type: text, field: text, detail: text })),
        notEvaluated: list(record({ field: text, reason: text })),
      }),
    ),
  }),
  judge({ crd, version, objects, oldObjects, release }) {
    if (oldObjects !== undefined && oldObjects.length !== objects.length) {
      throw invalidInput(
        `has ${oldObjects.length} objects, but there are ${objects.length} in objects`,
        { path: '$.oldObjects' },
      );
    }
    const validator = validators.get(crd, version, release);
    const findings: Finding[] = [];
    const results = objects.map((object, index) => {
      const old = oldObjects?.[index];
      const result =
        old === undefined
          ? validator.validateCreate(object)
          : validator.validateUpdate(object, old);
      const errors = sortErrors(result.errors).map(({ type, field, detail }) => ({
        type,
        field,
        detail,
      }));
      const about = { version, ...(isObject(object) && { object: referenceTo(object) }) };
      for (const { field, detail, type } of errors) {
        const message = detail === '' ? type.replace('FieldValue', '') : detail;
        findings.push(findingNamed(rule, { severity: 'error', message, path: field, ...about }));
      }
      for (const { field, reason } of result.notEvaluated ?? []) {
        const message = `not evaluated: ${reason}`;
        findings.push(
          findingNamed(rule, {
            severity: 'warning',
            effect: 'undecided',
            message,
            path: field,
            ...about,
          }),
        );
      }
      return { ...result, errors };
    });
    return {
      allowed: results.every(({ valid }) => valid !== false),
      findings,
      output: { results },
    };
  },
});

interface StoredInput {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly objects?: readonly JsonValue[];
  readonly list?: JsonObject;
  readonly version?: string;
  readonly isTaken?: boolean;
  readonly release?: Release;
}

const examples = list(
  record({ name: text, version: text, problems: list(text), updatable: flag, isCreatable: flag }),
);

export const crdStoredObjects = defineOperation<StoredInput>({
  name: 'crd-stored-objects',
  summary:
    'Which stored objects an upgrade of their CustomResourceDefinition breaks, by name and path.',
  input: {
    type: 'object',
    required: ['old', 'new'],
    oneOf: [{ required: ['objects'] }, { required: ['list'] }],
    additionalProperties: false,
    properties: {
      old: { type: 'object', description: 'The CustomResourceDefinition as the cluster has it.' },
      new: { type: 'object', description: 'The CustomResourceDefinition that replaces it.' },
      objects: { type: 'array', description: 'Objects as the API server lists them.' },
      list: {
        type: 'object',
        description: 'In place of objects: one page of a list, as the API server answers it.',
      },
      version: {
        type: 'string',
        description: 'The version under which they were listed; by default the storage version.',
      },
      isTaken: {
        type: 'boolean',
        default: false,
        description:
          'Whether an API server has taken the new definition: a validation rule that does not compile here then refuses nothing.',
      },
      release: releaseSchema,
    },
  },
  output: record({
    checked: integer,
    refused: integer,
    updatable: integer,
    creatable: integer,
    refusedBefore: integer,
    pruned: integer,
    undecided: integer,
    examples,
    prunedExamples: examples,
    writers: {
      type: 'array',
      description: 'Field managers that wrote objects in versions that go.',
      items: record({ manager: text, version: text, isApply: flag, objects: integer, last: text }),
    },
    next: { type: 'string', description: "Of a list: its metadata's continue." },
    remaining: { type: 'integer', description: "Of a list: its metadata's remainingItemCount." },
  }),
  judge({ old, new: next, objects: given = [], list, version, isTaken = false, release }) {
    const page = list === undefined ? undefined : readList(list);
    const objects = page?.objects ?? given;
    const plan = planStored(old, next);
    const read =
      version === undefined
        ? plan?.reads[0]
        : plan?.reads.find((candidate) => candidate.version === version);
    let tally: StoredTally = {
      ...emptyTally,
      ...{ checked: objects.length, fine: objects.length },
    };
    if (read !== undefined) {
      const judge = new StoredJudge(
        {
          old: validators.get(old, read.version, release),
          next: read.under.map((under) => validators.get(next, under, release)),
          ...(read.storedAs !== undefined && {
            storedAs: validators.get(next, read.storedAs, release),
          }),
        },
        { leaving: new Set(plan?.leaving), isTaken },
      );
      for (const object of objects) judge.judge(object);
      tally = judge.result;
    }
    const subject = { name: metaOf(next).name, kind: plan?.kind ?? 'object' };
    const findings = storedFindings(subject, tally);
    const place = page === undefined ? {} : { next: page.next, remaining: page.remaining };
    const output = { ...tally, ...place };
    return { allowed: tally.refused === 0 && tally.pruned === 0, findings, output };
  },
});
