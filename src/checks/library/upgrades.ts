/**
 * `import { judgeUpgrade } from 'olm-guard'`: upgrades of CustomResourceDefinitions, judged as the gate
 * does. Nothing is read or written, and bad input is an answer, not an exception.
 *
 * Objects are what JSON.parse gives; whole numbers beyond 2^53 have lost digits by then. For these, and
 * for untrusted input, ask the command or the sidecar, which also bound the time an answer takes.
 *
 * @module olm-guard
 */
import {
  indexByName,
  ruleOfChange,
  upgradeRules,
  fixLimits,
  Judge,
  proofProfile,
  withPatches,
} from '../../upgrade/index.js';
import type { Audience, Family, Severity } from '../../rule/index.js';
import { editDocument } from '../../text/documents/edit.js';
import { changedPart } from '../../text/documents/text-edits.js';
import {
  InvalidInputError,
  invalidInput,
  isObject,
  parseDocuments,
  type Document,
  type JsonObject,
} from '../../text/documents/index.js';
import { answerError } from '../operations/answer-operation.js';
import type { InputError, Answer } from './answers.js';
import { crd } from '../operations/crd.js';
import { answerOf } from './answer-of.js';

// Explains a rule about definitions, by the name that a finding has.

/** A rule as `olm-guard explain` and its page have it. */
export interface RuleExplanation {
  /** The name under which it is documented. */
  readonly id: string;
  readonly family: Family;
  /** The people affected by what it finds. */
  readonly audience?: Audience;
  /** Before a policy has its say. */
  readonly severity: Severity;
  /** The change that it looks for. */
  readonly checks: string;
  /** The harm otherwise. */
  readonly why: string;
  /** How to have the same without harm. */
  readonly instead: string;
  /** Where the rule comes from: a repository and a function, or the page of a document. */
  readonly source: string;
  /** Parts of definitions, as YAML: what is there before, what the rule finds something in, and what it accepts instead. */
  readonly example: {
    readonly before?: string;
    readonly after: string;
    readonly accepted?: string;
  };
}

const ruleNamed = indexByName(upgradeRules);

/**
 * Explains what a rule checks, why, and what to do instead.
 *
 * @param name `rule` or `cause` of a finding: `NoScopeChange`, `MinimumRaised`, `ChangeValidator/MinimumRaised`
 * @returns undefined for a name that no rule about definitions has
 */
export function explainRule(name: string): RuleExplanation | undefined {
  const [given = '', change = given] = name.split('/');
  const ofChange = ruleOfChange.get(change);
  const rule =
    ruleNamed(given === change ? name : (ofChange ?? given)) ?? ruleNamed(ofChange ?? '');
  if (rule === undefined) return undefined;
  const { id, family, audience, severity, checks, why, instead, source } = rule;
  const { before, after, accepted } = rule.example;
  const example = { before, after, accepted };
  return { id, family, audience, severity, checks, why, instead, source, example };
}

// Which change of a new definition ends the harm that it does.

/** One operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  /** JSON Pointer. */
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** A part of a text, and what is there instead. */
export interface TextEdit {
  /** Where it begins, in UTF-16 code units from 0. */
  readonly offset: number;
  /** How many of them go. */
  readonly length: number;
  readonly text: string;
}

/** The changes to make, and the harm that is left. */
export interface UpgradeFix {
  /** Operations on the new definition, applied in order; empty if nothing helps, or nothing needs to be done. */
  readonly patch: readonly PatchOperation[];
  /** The changes in words, in the same order. */
  readonly changes: readonly string[];
  /** One sentence for each harm for which no change was found. */
  readonly left: readonly string[];
  /** The same change of the text, where one was given; comments and layout around it stay. */
  readonly edit?: TextEdit;
  readonly error?: undefined;
}

/** Why there is no fix: the input cannot be judged. */
export interface FixError {
  readonly error: InputError;
  readonly patch?: undefined;
  readonly changes?: undefined;
  readonly left?: undefined;
  readonly edit?: undefined;
}

/**
 * Looks for changes of a new CustomResourceDefinition after which no object is refused or loses data. Each
 * was judged before it is returned. Takes up to seconds for large definitions.
 *
 * @param next the definition, or its text in YAML or JSON, which then is edited
 * @returns `error` for what cannot be judged, and for a text that is not one document
 */
export function fixUpgrade(old: object, next: object | string): UpgradeFix | FixError {
  try {
    return fix(old as JsonObject, next as JsonObject | string);
  } catch (error) {
    if (error instanceof InvalidInputError) return { error: answerError(error) };
    throw error;
  }
}

/** @throws InvalidInputError */
function fix(old: JsonObject, given: JsonObject | string): UpgradeFix {
  const documents = typeof given === 'string' ? parseDocuments(given) : [];
  const next = typeof given === 'string' ? documents[0]?.value : given;
  if (!isObject(next) || documents.length > 1) {
    const message = 'must be one document with one CustomResourceDefinition';
    throw invalidInput(message, { path: '$.new' });
  }
  const judge = Judge.for({ profile: proofProfile }, 'fixes');
  const pair = judge.pair(old, next);
  const { findings, proof } = judge.upgrade(pair);
  const { repair } = withPatches(pair, findings, { ...fixLimits, proof });
  const fixes = repair?.fixes ?? [];
  const patched = repair?.patched ?? next;
  const [document] = documents;
  return {
    patch: fixes.flatMap(({ patch }) => patch as readonly PatchOperation[]),
    changes: fixes.map(({ title }) => title),
    left: (repair === undefined ? findings : judge.upgrade(old, patched).findings)
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message),
    edit: document && editOf(document, patched),
  };
}

function editOf(document: Document, patched: JsonObject): TextEdit {
  const { start, end, text } = changedPart(document.text, editDocument(document, patched).text);
  return { offset: document.offset + start, length: end - start, text };
}

export type * from './answers.js';

/** Which rules decide, and what else the answer says. */
export interface UpgradeOptions {
  /**
   * Whose rules decide, as their reference does; `proof` denies only with an object that breaks.
   * Without it the verdict is the gate's by default: only shown harm is denied.
   */
  readonly profile?: 'olm-v1' | 'crdify' | 'olm-v1.10' | 'proof';
  /** Whether `output.rollback` says if the old definition can be put back. */
  readonly rollback?: boolean;
}

/**
 * Whether one CustomResourceDefinition may take the place of another. Findings say what the change does
 * to objects (`effect`), show one (`witness`) and how to mend it (`fix`).
 */
export function judgeUpgrade(old: object, next: object, options: UpgradeOptions = {}): Answer {
  return answerOf(crd, { old, new: next, ...options });
}

/** Proves the effects of the change on objects, each finding with an object that shows it; rules do not count. */
export function proveUpgrade(old: object, next: object): Answer {
  return judgeUpgrade(old, next, { profile: 'proof' });
}
