export {
  type PossibleConsumer,
  listConsumers,
  ofPlan,
  readSides,
} from './cluster-scan/consumers.js';
export { meantNamespace, withMeantName } from './cluster-scan/meant-names.js';
export { type OlmAnswer, type OlmQuestion, judgeOlmObject } from './cluster-scan/olm-object.js';
export {
  type CheckedManifest,
  checkManifest,
  type ManifestEdit,
  editedText,
  type WrittenFinding,
  placeOf,
  placeOfObject,
  placesAndNotes,
  writtenAt,
  writtenValue,
} from './diagnosis/check-manifest.js';
export {
  type PairContext,
  checkAdded,
  checkPair,
  checkRemoved,
  subjectOf,
} from './diagnosis/check-pair.js';
export type { CheckedObjects, GivenObjects, OnHarmed } from './diagnosis/checked-objects.js';
export {
  type DefinitionsBefore,
  type DefinitionsOfObjects,
  type Diagnosis,
  type EditedText,
  type Fix,
  type Judged,
  type Message,
  type Surroundings,
  diagnose,
} from './diagnosis/diagnose.js';
export { type Repaired, standsAsJudged, textAlone, textOf } from './diagnosis/fixed-text.js';
export { hintsAtPrompt, hintsForReaders, notOffered } from './diagnosis/pair-fixes.js';
export { judgeChange } from './diagnosis/pair-judgement.js';
export { type Answer, type AnswerError, answerError } from './operations/answer-operation.js';
export { answer, findOperation } from './operations/answer.js';
export { type Attached, bytesOf, shareBytes, withAttached } from './operations/attached.js';
export {
  type IsOver,
  type JudgeOptions,
  type Operation,
  defineOperation,
} from './operations/operation.js';
export { ruleNames } from './operations/rules.js';
export { operations } from './operations/table.js';
export { validators } from './operations/custom-resources.js';
export { answerLine, answerLines, maxLineBytes } from './preflight/ndjson.js';
export { allowedHeader, openApiDocument, preflightPath } from './preflight/openapi.js';
