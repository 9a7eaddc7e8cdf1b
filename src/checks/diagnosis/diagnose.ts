/** Diagnoses a text being written: definitions, objects and the policy, with each finding at its place. */
import { plural } from '../../text/plural.js';
import { collectCrds, definitionOf, type FoundCrd, manifestFixOf } from '../../upgrade/index.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import {
  InvalidInputError,
  isObject,
  objectsOf,
  parseDocuments,
  type Document,
  type JsonObject,
  type Path,
  type Place,
} from '../../text/documents/index.js';
import { shareParts } from '../../text/documents/value.js';
import { textAt } from '../../text/documents/fields.js';
import { type Finding, foundAt } from '../../rule/index.js';
import { defaultPolicy, type Policy, parsePolicy } from '../../policy/index.js';
import { ClusterError, type ClusterView } from '../../cluster/index.js';
import { hasVariable } from '../../repository/index.js';
import { ruleNames } from '../operations/rules.js';
import {
  type CheckResult,
  type FindingNote,
  framesInTurn,
  isHarmless,
} from '../../report/index.js';
import { checkAdded, checkPair, type PairContext } from './check-pair.js';
import { hintsForReaders } from './pair-fixes.js';
import { checkManifest, editedText, writtenAt, writtenValue } from './check-manifest.js';
import { textOf, type Repaired } from './fixed-text.js';

/** The context by which a text is judged. Each throws InvalidInputError or ClusterError for what cannot be read. */
export interface Surroundings {
  policy(): Promise<Policy>;
  minors(): Promise<TargetMinors>;
  /** The definitions that those of a file take the place of. */
  before(file: string, proposed: readonly Document[]): Promise<DefinitionsBefore>;
  /** Definitions of objects that have no other beside them. */
  definitions(): Promise<DefinitionsOfObjects>;
  /** The whole that the text is a part of, judged: a bundle, a catalog. */
  wholes?(text: EditedText): Promise<readonly CheckResult[]>;
}

export interface EditedText {
  readonly file: string;
  readonly text: string;
  readonly documents: readonly Document[];
}

export interface DefinitionsBefore {
  readonly source: string;
  /** The same as the user chose it: a branch, where `source` is a commit of it. */
  readonly named?: string;
  readonly crds: ReadonlyMap<string, FoundCrd>;
  readonly owners?: ClusterView | undefined;
}

export interface DefinitionsOfObjects {
  readonly crds: ReadonlyMap<string, FoundCrd>;
  readonly old?: ReadonlyMap<string, FoundCrd>;
}

/** A finding at its place; or what could not be judged, and why. */
export interface Message {
  readonly severity: Finding['severity'];
  readonly message: string;
  readonly place: Place;
  readonly finding?: Finding;
  readonly note?: FindingNote | undefined;
  /** For a finding about an object: the text with the change that resolves it. */
  readonly fix?: (() => Fix) | undefined;
  /** Whether a comment above it can exempt it: in definitions. */
  readonly areCommentsHeard?: boolean;
}

export interface Judged {
  readonly result: CheckResult;
  readonly place: Place;
  /** The old side of the comparison, as the user named it; undefined if there is none. */
  readonly since?: string;
  readonly areCommentsHeard?: boolean;
}

/** The whole text changed so that no object of a definition breaks. */
export interface Fix {
  readonly title: string;
  readonly text: string;
}

export interface Diagnosis {
  readonly judged: readonly Judged[];
  /** Messages for an editor: findings without harmless ones, and what could not be judged. */
  readonly messages: readonly Message[];
  readonly fix?: Fix;
}

export interface DiagnoseOptions {
  readonly isFixWanted: boolean;
  /** In place of a whole reading, for a text of which something is known. @throws InvalidInputError */
  readonly parse?:
    ((text: string, options: { readonly file: string }) => readonly Document[]) | undefined;
}

const policyFile = /(?:^|[\\/])\.olm-guard\.ya?ml$/;

/** A file of a bundle that has no kind. */
const metadataFile = /(?:^|[\\/])metadata[\\/](?:annotations|dependencies|properties)\.ya?ml$/;

/** At the beginning of a line, or in a map that is written in one. */
const hasKind = /(?:^[ \t]*|[{,]\s*)"?(?:apiVersion|kind|schema)"?\s*:/m;

/** @param file as `check crd` would name it */
export async function diagnose(
  file: string,
  text: string,
  surroundings: Surroundings,
  { isFixWanted, parse = parseDocuments }: DiagnoseOptions,
): Promise<Diagnosis> {
  const diagnosis = new DiagnosisOfText(file, surroundings, isFixWanted);
  try {
    if (policyFile.test(file)) parsePolicy(text, file, ruleNames, defaultPolicy);
    // Other YAML is for other tools to check.
    else if (metadataFile.test(file) || hasKind.test(text))
      await diagnosis.judge(text, parse(text, { file }));
  } catch (error) {
    if (isTemplate(error, text)) await diagnosis.noteTemplate(text);
    else diagnosis.unjudged(error, { file });
  }
  return diagnosis;
}

function isTemplate(error: unknown, text: string): boolean {
  if (!(error instanceof InvalidInputError) || !text.includes('{{')) return false;
  return error.code === 'E_YAML' || text.trimStart().startsWith('{{');
}

class DiagnosisOfText implements Diagnosis {
  readonly judged: Judged[] = [];
  readonly messages: Message[] = [];
  private readonly repaired: Repaired[] = [];
  private readonly frameAt = framesInTurn();

  constructor(
    private readonly file: string,
    private readonly surroundings: Surroundings,
    private readonly isFixWanted: boolean,
  ) {}

  get fix(): Fix | undefined {
    const changed = this.repaired.filter(({ repair }) => repair.fixes.length > 0);
    if (changed.length === 0) return undefined;
    const titles = changed.flatMap(({ repair }) => repair.fixes.map(({ title }) => title));
    return { title: titles.join('; '), text: textOf(changed, () => undefined) };
  }

  async judge(text: string, documents: readonly Document[]): Promise<void> {
    const { crds } = collectCrds(documents, (error) => this.unjudged(error, { file: this.file }));
    const policy = await this.surroundings.policy();
    for (const next of crds.values()) {
      const place = next.document.placeOf(next.path);
      await this.judgeDefinition(next, documents, policy).catch((error: unknown) =>
        this.unjudged(error, place),
      );
    }
    await this.judgeObjects(documents, crds, policy);
    await this.judgeWholes({ file: this.file, text, documents });
  }

  /** A template of Helm: rendering may take its values from anywhere. */
  async noteTemplate(text: string): Promise<void> {
    const known = await this.surroundings.definitions();
    const kinds = new Set(
      [...known.crds.values()].map(({ crd }) => textAt(crd.document, 'spec', 'names', 'kind')),
    ).add('CustomResourceDefinition');
    const written = [...text.matchAll(/^[ \t]*kind:[ \t]*["']?(\w+)/gm)];
    const [kind] = written.flatMap(([, each = '']) => (kinds.has(each) ? [each] : []));
    if (kind === undefined) return;
    const line = text.slice(0, text.indexOf('{{')).split('\n').length;
    this.note(
      `is a template with a ${kind} and was not judged: olm-guard check crd and check objects take the chart, and render it`,
      { file: this.file, line },
    );
  }

  /** @throws any error but InvalidInputError and ClusterError */
  unjudged(error: unknown, place: Place, severity: Finding['severity'] = 'error'): void {
    if (error instanceof InvalidInputError) {
      const { where, message } = error;
      const isElsewhere = where.file !== undefined && where.file !== this.file;
      const at = where.line === undefined || isElsewhere ? place : where;
      const origin = isElsewhere ? `${[where.file, where.line ?? []].flat().join(':')}: ` : '';
      this.messages.push({ severity, message: `${origin}${message}`, place: at });
    } else if (error instanceof ClusterError) {
      this.messages.push({ severity, message: error.message, place });
    } else throw error;
  }

  private async judgeDefinition(
    next: FoundCrd,
    documents: readonly Document[],
    policy: Policy,
  ): Promise<void> {
    const place = next.document.placeOf(next.path);
    const before = await this.surroundings
      .before(this.file, documents)
      .catch((error: unknown) => this.unjudged(error, place, 'info'));
    const context: PairContext = {
      decision: { policy, areCommentsHeard: true, owners: before?.owners },
      minors: await this.surroundings.minors(),
      fixes: {
        isFixWanted: false,
        repaired: this.repaired,
        hints: this.isFixWanted ? hintsForReaders() : undefined,
      },
      isRollbackWanted: false,
    };
    const old = before?.crds.get(next.name);
    if (before !== undefined && old === undefined) {
      this.note(`${next.name} is compared with nothing: ${before.source} does not have it`, place);
    }
    if (old !== undefined) shareParts(old.crd.document, next.crd.document);
    const result = await (old === undefined
      ? checkAdded(next, context)
      : checkPair(old, next, context));
    this.add({
      result,
      place,
      areCommentsHeard: true,
      ...(old && before && { since: before.named ?? before.source }),
    });
  }

  private async judgeObjects(
    documents: readonly Document[],
    beside: ReadonlyMap<string, FoundCrd>,
    policy: Policy,
  ): Promise<void> {
    for (const document of documents) {
      for (const { value, path } of objectsOf(document.value)) {
        if (!isObject(value)) continue;
        const known = await this.surroundings.definitions();
        const found = definitionOf(value, beside) ?? definitionOf(value, known.crds);
        if (found === undefined) continue;
        const old = known.old?.get(found.name)?.crd.document;
        await this.judgeObject(value, found, old, policy, document, path);
      }
    }
  }

  private async judgeObject(
    object: JsonObject,
    found: FoundCrd,
    old: JsonObject | undefined,
    policy: Policy,
    document: Document,
    path: Path,
  ): Promise<void> {
    const minors = await this.surroundings.minors();
    const manifest = { object, document, path, applied: {} };
    const written = writtenAt(manifest);
    const source = { written, isUnknown: hasVariable };
    const checked = await checkManifest(object, found, old, { policy, minors, ...source });
    const { name, verdict, unchecked } = checked;
    const places = verdict.findings.map((finding) =>
      document.placeOf([...path, ...(finding[foundAt]?.keys ?? [])]),
    );
    const fixes = verdict.findings.map(manifestFixOf);
    const notes = places.map(({ line }, index) => ({
      frame: this.frameAt(document, line),
      fix: fixes[index]?.title,
    }));
    const warnings = [...unchecked, ...verdict.warnings];
    const result = { name, verdict: { ...verdict, warnings }, output: null, places, notes };
    const texts = fixes.map((fix) => {
      const value = fix && writtenValue(manifest, fix.keys);
      if (fix === undefined || value === undefined) return undefined;
      const edits = [{ fix, written: value }];
      return (): Fix => ({ title: fix.title, text: editedText(edits, () => undefined) });
    });
    this.add({ result, place: document.placeOf(path) }, texts);
  }

  /** Findings in other files of them are kept there. */
  private async judgeWholes(text: EditedText): Promise<void> {
    const place = { file: this.file };
    const wholes = await this.surroundings.wholes?.(text).catch((error: unknown) => {
      this.unjudged(error, place);
      return [];
    });
    for (const result of wholes ?? []) {
      this.show(result, place);
      const others = result.verdict.findings.filter(({ severity }, index) => {
        const { file = this.file } = result.places[index] ?? {};
        return severity === 'error' && file !== this.file;
      });
      if (others.length > 0) {
        const errors = plural(others.length, 'error');
        this.note(`${result.name} has ${errors} in other files`, place);
      }
    }
  }

  private add(judged: Judged, fixes?: readonly Message['fix'][]): void {
    this.judged.push(judged);
    this.show(judged.result, judged.place, judged.areCommentsHeard, fixes);
  }

  /** @param place for what is said of all that was judged */
  private show(
    { verdict, places, notes = [] }: CheckResult,
    place: Place,
    areCommentsHeard = false,
    fixes: readonly Message['fix'][] = [],
  ): void {
    for (const [index, finding] of verdict.findings.entries()) {
      const [at = {}, note = {}] = [places[index], notes[index]];
      if (at.file !== undefined && at.file !== this.file) continue;
      if (isHarmless({ finding, place: at, note }) || note.exempt !== undefined) continue;
      const { severity, message } = finding;
      const fix = fixes[index];
      this.messages.push({ severity, message, place: at, finding, note, fix, areCommentsHeard });
    }
    for (const warning of verdict.warnings) this.note(warning, place);
  }

  private note(message: string, place: Place): void {
    this.messages.push({ severity: 'info', message, place });
  }
}
