/** Texts side by side, as a page shows them: the report, what is at which line, and what servers say. */
import { collectCrds, type FoundCrd } from '../../src/upgrade/index.js';
import {
  DefinitionCosts,
  DefinitionReview,
  knownMinors,
  minorsByDefault,
  newestMinor,
} from '../../src/kubernetes/index.js';
import {
  InvalidInputError,
  parseDocuments,
  type Document,
} from '../../src/text/documents/index.js';
import {
  defaultPolicy,
  parsePolicy,
  strictPolicy,
  type Policy,
  type Profile,
} from '../../src/policy/index.js';
import type { CheckReport } from '../../src/report/index.js';
import { harmFirst } from '../../src/report/grouping.js';
import { renderPage } from '../../src/report/page/page.js';
import { presentable } from '../../src/report/presentable.js';
import { verdictOf, type ReportVerdict } from '../../src/report/verdict.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import {
  diagnose,
  type Diagnosis,
  type DiagnoseOptions,
  type Fix,
  type Message,
  type Surroundings,
} from '../../src/checks/diagnosis/diagnose.js';

export type Side = 'old' | 'new' | 'objects' | 'policy';

/** YAML or JSON as a user writes it: definitions before and after, objects of theirs, and a policy. */
export interface Texts extends Readonly<Record<Exclude<Side, 'policy'>, string>> {
  /** Undefined or blank: the default policy. */
  readonly policy?: string;
  /** Where the policy names none. */
  readonly profile: Profile;
  /** Whether everything is denied that the profile refuses, as by `--strict`. */
  readonly isStrict: boolean;
}

export interface JudgedTexts {
  readonly verdict: ReportVerdict;
  /** The report as `-o html` has it, without its script. */
  readonly page: string;
  readonly messages: Readonly<Record<Side, readonly LineMessage[]>>;
  /** Left out unless asked for. */
  readonly details?: TextDetails;
}

export interface TextDetails {
  readonly fix: Fix | undefined;
  /** Empty where the text has no new definition. */
  readonly minors: readonly MinorMark[];
  /** Costs of the CEL rules of the new definitions, the most expensive first. */
  readonly costs: readonly RuleCost[];
}

/** A message about a line, both counted from 1. */
export type LineMessage = Pick<Message, 'severity' | 'message'> & {
  readonly line: number;
  readonly column: number;
};

/** Whether the API server of a minor takes all new definitions. */
export interface MinorMark {
  readonly minor: string;
  /** `create`: it refuses one on a cluster that does not have it yet, and takes the update. */
  readonly refuses: 'nothing' | 'create' | 'update';
}

export interface RuleCost {
  /** `widgets.example.com spec.versions[0].schema…` */
  readonly field: string;
  /** Share of the API server's limit: 1 is the limit; Infinity for a rule without a bound. */
  readonly share: number;
}

const mostCosts = 20;
const mostMessages = 500;
const fileOf = (side: Side): string => `${side}.yaml`;

/** Judges one text after the other, as they are typed; keeps what it has read of the last definitions. */
export class TextJudge {
  #before = definitionsOf('old', '');
  #after = definitionsOf('new', '');

  /** Bad input is a message at its place. With a fix come the other details, which take their time too. */
  judge(texts: Texts, options: DiagnoseOptions): Promise<JudgedTexts> {
    if (this.#before.text !== texts.old) this.#before = definitionsOf('old', texts.old);
    const earlier = this.#after.documents;
    this.#after = definitionsOf('new', texts.new, earlier);
    return judgeTexts(this.#before, this.#after, texts, options);
  }
}

async function judgeTexts(
  before: GivenDefinitions,
  after: GivenDefinitions,
  texts: Texts,
  options: DiagnoseOptions,
): Promise<JudgedTexts> {
  const { policy: chosen, errors: unread } = policyOf(texts);
  const policy = texts.isStrict ? strictPolicy(chosen) : chosen;
  const surroundings: Surroundings = {
    policy: () => Promise.resolve(policy),
    minors: () => Promise.resolve(minorsByDefault()),
    before: () => Promise.resolve({ source: fileOf('old'), crds: before.crds }),
    definitions: () => Promise.resolve({ crds: after.crds, old: before.crds }),
  };
  const definitions = await diagnose(fileOf('new'), texts.new, surroundings, {
    ...options,
    parse: after.documents && (() => after.documents ?? []),
  });
  const objects = await diagnose(fileOf('objects'), texts.objects, surroundings, options);
  const report = reportOf([definitions, objects], [...before.errors, ...unread]);
  return {
    verdict: verdictOf(report),
    page: renderPage(presentable(report), { isScripted: false }),
    messages: {
      old: atLines(before.errors),
      new: atLines(definitions.messages),
      objects: atLines(objects.messages),
      policy: atLines(unread),
    },
    ...(options.isFixWanted && {
      details: { fix: definitions.fix, ...serversOf(before.crds, after.crds) },
    }),
  };
}

function policyOf({ policy: text = '', profile }: Texts): {
  readonly policy: Policy;
  readonly errors: readonly Message[];
} {
  const usual = { ...defaultPolicy, profile };
  if (text.trim() === '') return { policy: usual, errors: [] };
  const file = fileOf('policy');
  try {
    return { policy: parsePolicy(text, file, ruleNames, usual), errors: [] };
  } catch (error) {
    return { policy: usual, errors: [messageOf(error, file)] };
  }
}

/** @throws any error but one of bad input, as it is */
function messageOf(error: unknown, file: string): Message {
  if (!(error instanceof InvalidInputError)) throw error;
  return { severity: 'error', message: error.message, place: { file, ...error.where } };
}

interface GivenDefinitions {
  readonly text: string;
  readonly crds: ReadonlyMap<string, FoundCrd>;
  readonly errors: readonly Message[];
  /** Undefined where the text cannot be read. */
  readonly documents: readonly Document[] | undefined;
}

function definitionsOf(
  side: Side,
  text: string,
  earlier?: GivenDefinitions['documents'],
): GivenDefinitions {
  const errors: Message[] = [];
  const file = fileOf(side);
  const note = (error: unknown): void => {
    errors.push(messageOf(error, file));
  };
  let documents: Document[] | undefined;
  try {
    documents = parseDocuments(text, { file, before: earlier });
  } catch (error) {
    note(error);
  }
  const { crds } = collectCrds(documents ?? [], note);
  return { text, crds, errors, documents };
}

/** Input that could not be judged is reported, and nothing beside it is headed as fine. */
function reportOf(diagnoses: readonly Diagnosis[], errors: readonly Message[]): CheckReport {
  const results = diagnoses.flatMap(({ judged }) => judged.map(({ result }) => harmFirst(result)));
  const unjudged = [...errors, ...diagnoses.flatMap(({ messages }) => messages)].filter(
    ({ finding, severity }) => finding === undefined && severity === 'error',
  );
  const sentences = unjudged.map(({ message, place: { file, line } }) =>
    [[file, line].filter((part) => part !== undefined).join(':'), message].join(': '),
  );
  const unchecked =
    results.length + sentences.length === 0
      ? ['there is no CustomResourceDefinition to judge, and no object of one']
      : sentences;
  const denied = results.filter(({ verdict }) => !verdict.allowed).length;
  return {
    subject: 'Definitions and objects',
    results,
    counts: { allowed: results.length - denied, denied },
    ...(unchecked.length > 0 && { unchecked, failed: unjudged[0]?.place ?? {} }),
  };
}

/** A limited number, because more would stall a browser; findings that deny come first. */
function atLines(messages: readonly Message[]): LineMessage[] {
  const rank = { error: 0, warning: 1, info: 2 };
  const shown = [...messages]
    .sort((one, other) => rank[one.severity] - rank[other.severity])
    .slice(0, mostMessages)
    .map(atLine);
  const left = messages.length - shown.length;
  if (left === 0) return shown;
  const message = `${left} more are not marked here`;
  return [{ severity: 'info', message, line: 1, column: 1 }, ...shown];
}

function atLine({ severity, message, place: { line = 1, column = 1 } }: Message): LineMessage {
  return { severity, message, line, column };
}

function serversOf(
  before: GivenDefinitions['crds'],
  after: GivenDefinitions['crds'],
): Pick<TextDetails, 'minors' | 'costs'> {
  if (after.size === 0) return { minors: [], costs: [] };
  const refusing = { create: new Set<string>(), update: new Set<string>() };
  const costs: RuleCost[] = [];
  for (const { name, crd } of after.values()) {
    try {
      const old = before.get(name)?.crd.document;
      const review = new DefinitionReview(crd.document, old);
      for (const operation of old === undefined
        ? (['create'] as const)
        : (['create', 'update'] as const)) {
        for (const { kubernetes } of review.refusals(operation, knownMinors))
          for (const minor of kubernetes)
            refusing[old === undefined ? 'update' : operation].add(minor);
      }
      for (const { field, estimated, limit } of new DefinitionCosts(review).estimates([
        newestMinor,
      ])) {
        costs.push({ field: `${name} ${field}`, share: Number(estimated) / Number(limit) });
      }
    } catch (error) {
      // Beyond the limits of a review, which its result says.
      if (!(error instanceof InvalidInputError)) throw error;
    }
  }
  return {
    minors: knownMinors.map((minor) => ({
      minor,
      refuses: refusing.update.has(minor)
        ? 'update'
        : refusing.create.has(minor)
          ? 'create'
          : 'nothing',
    })),
    costs: costs.sort((one, other) => other.share - one.share).slice(0, mostCosts),
  };
}
