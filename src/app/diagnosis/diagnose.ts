/** A text as somebody writes it: definitions, objects and the policy, with each finding at its place. */
import { collectCrds, definitionOf, type FoundCrd } from '../../upgrade/index.js';
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
import type { Finding } from '../../rule/index.js';
import { defaultPolicy, type Policy } from '../check/policy.js';
import { parsePolicy } from '../check/parse.js';
import { ClusterError, type ClusterView } from '../facts/cluster/view.js';
import { ruleNames } from '../operations/rules.js';
import type { CheckResult, FindingNote } from '../report/check-report.js';
import { codeFrames } from '../report/code-frame.js';
import { isHarmless } from '../report/harm-first.js';
import { checkAdded, checkPair, type PairContext } from './check-pair.js';
import { hintsForAll } from './pair-fixes.js';
import { checkManifest } from './check-manifest.js';
import { textOf, type Repaired } from './fixed-text.js';

/** What a text is judged by. Each throws InvalidInputError or ClusterError for what cannot be read. */
export interface Surroundings {
  policy(): Promise<Policy>;
  /** Minors of Kubernetes that are asked whether they take a definition. */
  minors(): Promise<TargetMinors>;
  /** The definitions that those of a file take the place of. */
  before(file: string, proposed: readonly Document[]): Promise<DefinitionsBefore>;
  /** Those of objects beside whom none stands. */
  definitions(): Promise<DefinitionsOfObjects>;
}

export interface DefinitionsBefore {
  /** Where they are, as a command names it. */
  readonly source: string;
  readonly crds: ReadonlyMap<string, FoundCrd>;
  readonly view?: ClusterView | undefined;
  readonly owners?: ClusterView | undefined;
}

export interface DefinitionsOfObjects {
  readonly crds: ReadonlyMap<string, FoundCrd>;
  /** The ones before them, where objects are judged as part of an upgrade. */
  readonly old?: ReadonlyMap<string, FoundCrd>;
}

/** A finding at its place; or what could not be judged, and why. */
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
  /** Of each definition and object, as a report has it. */
  readonly results: readonly CheckResult[];
  /** What an editor shows: findings without what harms nobody, and what could not be judged. */
  readonly messages: readonly Message[];
  readonly fix?: Fix;
}

/** Looking for a fix takes some times as long as judging: it is done where somebody asks for one. */
export interface DiagnoseOptions {
  readonly isFixWanted: boolean;
  /** What the text holds, where the caller has read it. */
  readonly documents?: readonly Document[] | undefined;
}

const policyFile = /(?:^|[\\/])\.olm-guard\.ya?ml$/;

/**
 * @param file as `check crd` would name it
 * @param text what stands there now, saved or not
 */
export async function diagnose(
  file: string,
  text: string,
  surroundings: Surroundings,
  { isFixWanted, documents }: DiagnoseOptions,
): Promise<Diagnosis> {
  const diagnosis = new DiagnosisOfText(file, surroundings, isFixWanted);
  try {
    if (policyFile.test(file)) parsePolicy(text, file, ruleNames, defaultPolicy);
    // Other YAML is for other tools to check, and templates are not manifests.
    else if (/^[ \t]*"?(?:apiVersion|kind)"?\s*:/m.test(text) && !text.includes('{{'))
      await diagnosis.judge(documents ?? parseDocuments(text, { file }));
  } catch (error) {
    diagnosis.unjudged(error, { file });
  }
  return diagnosis;
}

class DiagnosisOfText implements Diagnosis {
  readonly results: CheckResult[] = [];
  readonly messages: Message[] = [];
  private readonly repaired: Repaired[] = [];

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

  /** @throws InvalidInputError for a policy that cannot be read */
  async judge(documents: readonly Document[]): Promise<void> {
    const { crds } = collectCrds(documents, (error) => this.unjudged(error, { file: this.file }));
    const policy = await this.surroundings.policy();
    for (const next of crds.values()) {
      const place = next.document.placeOf(next.path);
      await this.judgeDefinition(next, documents, policy).catch((error: unknown) =>
        this.unjudged(error, place),
      );
    }
    await this.judgeObjects(documents, crds, policy);
  }

  /** @throws what nobody foresaw */
  unjudged(error: unknown, place: Place, severity: Finding['severity'] = 'error'): void {
    if (error instanceof InvalidInputError) {
      const { where, message } = error;
      const at = where.line === undefined ? place : where;
      this.messages.push({ severity, message, place: at });
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
      ...{ profile: policy.profile, policy, areCommentsHeard: true },
      ...{ view: before?.view, owners: before?.owners, judged: [], objects: undefined },
      ...{
        isFixWanted: false,
        repaired: this.repaired,
        hints: { values: this.isFixWanted ? hintsForAll : 0 },
      },
      ...{ minors: await this.surroundings.minors(), unchecked: new Set(), onHarmed: undefined },
      isRollbackWanted: false,
    };
    const old = before?.crds.get(next.name);
    if (before !== undefined && old === undefined) {
      this.note(`${next.name} is compared with nothing: ${before.source} does not have it`, place);
    }
    const result = await (old === undefined
      ? checkAdded(next, context)
      : checkPair(old, next, context));
    this.add(result, place);
  }

  /** Objects whose definition stands beside them, or is known. */
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
        const old = known.old?.get(found.name)?.crd;
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
    const { name, verdict, unchecked, keysOf } = await checkManifest(object, found, old, policy);
    const places = verdict.findings.map((finding) =>
      document.placeOf([...path, ...keysOf(finding)]),
    );
    const frameAt = codeFrames(document);
    const notes = places.map(({ line }) => ({ frame: frameAt(line) }));
    const warnings = [...unchecked, ...verdict.warnings];
    const result = { name, verdict: { ...verdict, warnings }, output: null, places, notes };
    this.add(result, document.placeOf(path));
  }

  /** @param place of what was judged, for what is said of all of it */
  private add(result: CheckResult, place: Place): void {
    this.results.push(result);
    const { verdict, places, notes = [] } = result;
    for (const [index, finding] of verdict.findings.entries()) {
      const [at = {}, note = {}] = [places[index], notes[index]];
      if (isHarmless({ finding, place: at, note }) || note.exempt !== undefined) continue;
      const { severity, message } = finding;
      this.messages.push({ severity, message, place: at, finding, note });
    }
    for (const warning of verdict.warnings) this.note(warning, place);
  }

  private note(message: string, place: Place): void {
    this.messages.push({ severity: 'info', message, place });
  }
}
