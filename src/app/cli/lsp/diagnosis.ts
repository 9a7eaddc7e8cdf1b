/** Findings about one text of a repository, at their lines: of definitions, objects and the policy itself. */
import { basename } from 'node:path';
import { collectCrds, definitionOf, type FoundCrd } from '../../../upgrade/index.js';
import { minorsByDefault } from '../../../kubernetes/index.js';
import {
  InvalidInputError,
  isObject,
  objectsOf,
  parseDocuments,
  type Document,
  type JsonObject,
  type Path,
  type Place,
} from '../../../text/documents/index.js';
import type { Finding } from '../../../rule/index.js';
import { append } from '../../../text/long-lists.js';
import { defaultPolicy, type Policy } from '../../check/policy.js';
import { parsePolicy } from '../../check/parse.js';
import { ClusterError } from '../../facts/cluster/view.js';
import { ruleNames } from '../../operations/rules.js';
import type { CheckResult, FindingNote } from '../../report/check-report.js';
import { isHarmless } from '../../report/harm-first.js';
import { checkAdded, checkPair, hintsForAll, type PairContext } from '../check/check-pair.js';
import { checkManifest } from '../check/check-manifest.js';
import { textOf, type Repaired } from '../check/fix-file.js';
import type { Workspace } from './workspace.js';

/** A finding at its place; or why something could not be judged. */
export interface Message {
  readonly severity: Finding['severity'];
  readonly message: string;
  readonly place: Place;
  readonly finding?: Finding;
  readonly note?: FindingNote | undefined;
}

/** The whole text changed so that no object of a definition breaks. */
export interface Fix {
  readonly title: string;
  readonly text: string;
}

export interface Diagnosis {
  readonly messages: readonly Message[];
  readonly fix?: Fix;
}

const policyFiles = ['.olm-guard.yaml', '.olm-guard.yml'];

/**
 * @param file as `check crd` would name it
 * @param text what stands there now, saved or not
 */
export async function diagnose(
  file: string,
  text: string,
  workspace: Workspace,
): Promise<Diagnosis> {
  try {
    if (policyFiles.includes(basename(file))) {
      parsePolicy(text, file, ruleNames, defaultPolicy);
      return { messages: [] };
    }
    // Other YAML is for other tools to check, and templates are not manifests.
    if (!/^[ \t]*"?(?:apiVersion|kind)"?\s*:/m.test(text) || text.includes('{{'))
      return { messages: [] };
    return await diagnoseManifests(file, parseDocuments(text, { file }), workspace);
  } catch (error) {
    return { messages: [unjudged(error, { file })] };
  }
}

async function diagnoseManifests(
  file: string,
  documents: readonly Document[],
  workspace: Workspace,
): Promise<Diagnosis> {
  const messages: Message[] = [];
  const { crds } = collectCrds(documents, (error) => messages.push(unjudged(error, { file })));
  const { policy } = await workspace.policy();
  const repaired: Repaired[] = [];
  for (const next of crds.values()) {
    append(messages, await judgeDefinition(next, file, documents, { workspace, policy, repaired }));
  }
  append(messages, await judgeObjects(documents, crds, policy, workspace));
  const fix = fixOf(repaired);
  return { messages, ...(fix && { fix }) };
}

interface Judging {
  readonly workspace: Workspace;
  readonly policy: Policy;
  readonly repaired: Repaired[];
}

async function judgeDefinition(
  next: FoundCrd,
  file: string,
  documents: readonly Document[],
  { workspace, policy, repaired }: Judging,
): Promise<Message[]> {
  const messages: Message[] = [];
  const before = await workspace.before(file, documents).catch((error: unknown) => {
    const place = next.document.placeOf(next.path);
    messages.push({ ...unjudged(error, place), severity: 'info' });
    return undefined;
  });
  const context: PairContext = {
    ...{ profile: policy.profile, policy, areCommentsHeard: true },
    ...{ view: before?.view, owners: before?.owners, judged: [], objects: undefined },
    ...{ isFixWanted: false, repaired, hints: { values: hintsForAll } },
    ...{ minors: minorsByDefault(), unchecked: new Set(), isRollbackWanted: false },
    onHarmed: undefined,
  };
  const old = before?.collection.crds.get(next.name);
  const result = await (old === undefined
    ? checkAdded(next, context)
    : checkPair(old, next, context));
  return [...messages, ...messagesOf(result)];
}

/** What a report lists, harmless changes left out. */
function messagesOf({ verdict, places, notes = [] }: CheckResult): Message[] {
  return verdict.findings.flatMap((finding, index) => {
    const [place = {}, note = {}] = [places[index], notes[index]];
    if (isHarmless({ finding, place, note }) || note.exempt !== undefined) return [];
    return [{ severity: finding.severity, message: finding.message, place, finding, note }];
  });
}

/** Objects whose definition stands beside them, or anywhere in the repository. */
async function judgeObjects(
  documents: readonly Document[],
  beside: ReadonlyMap<string, FoundCrd>,
  policy: Policy,
  workspace: Workspace,
): Promise<Message[]> {
  const messages: Message[] = [];
  for (const document of documents) {
    for (const { value, path } of objectsOf(document.value)) {
      if (!isObject(value)) continue;
      const found =
        definitionOf(value, beside) ?? definitionOf(value, await workspace.definitions());
      if (found !== undefined)
        append(messages, await judgeObject(value, found, policy, document, path));
    }
  }
  return messages;
}

async function judgeObject(
  object: JsonObject,
  found: FoundCrd,
  policy: Policy,
  document: Document,
  path: Path,
): Promise<Message[]> {
  const { verdict, keysOf } = await checkManifest(object, found, undefined, policy);
  return verdict.findings.map((finding) => ({
    severity: finding.severity,
    message: finding.message,
    place: document.placeOf([...path, ...keysOf(finding)]),
    finding,
  }));
}

function fixOf(repaired: readonly Repaired[]): Fix | undefined {
  const changed = repaired.filter(({ repair }) => repair.fixes.length > 0);
  if (changed.length === 0) return undefined;
  const titles = changed.flatMap(({ repair }) => repair.fixes.map(({ title }) => title));
  return { title: titles.join('; '), text: textOf(changed) };
}

function unjudged(error: unknown, place: Place): Message {
  if (error instanceof InvalidInputError) {
    const { where, message } = error;
    return { severity: 'error', message, place: where.line === undefined ? place : where };
  }
  if (error instanceof ClusterError) return { severity: 'error', message: error.message, place };
  throw error;
}
