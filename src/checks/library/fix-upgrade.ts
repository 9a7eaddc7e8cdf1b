/** Which change of a new definition ends the harm that it does. */
import { fixLimits, Judge, proofProfile, withPatches } from '../../upgrade/index.js';
import { changedPart, editDocument } from '../../text/documents/edit.js';
import {
  InvalidInputError,
  isObject,
  parseDocuments,
  type Document,
  type JsonObject,
} from '../../text/documents/index.js';
import { answerError } from '../operations/answer-operation.js';
import type { InputError } from './answers.js';

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
    throw new InvalidInputError('E_INPUT', message, { path: '$.new' });
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
