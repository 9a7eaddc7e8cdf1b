import type { Finding } from '../rule/index.js';
import { changeName, qualifiedRuleName } from '../upgrade/index.js';
import type { JsonObject } from '../text/documents/index.js';
import { textAt } from '../text/documents/fields.js';
import { didYouMean, isSlipOf } from '../text/nearest.js';
import type { Exemption } from './policy.js';
import { parseEnd } from './rfc3339.js';
import { firstNames } from '../text/shortened.js';

export interface Subject {
  readonly groups: readonly string[];
  readonly name: string;
}

/** The groups of {@link Subject} of a CustomResourceDefinition. */
export function groupsOf(definition: JsonObject): string[] {
  const group = textAt(definition, 'spec', 'group');
  return group === undefined ? [] : [group];
}

export interface ExemptionMatch {
  readonly exemption: Exemption;
  readonly expired: boolean;
}

export class SubjectExemptions {
  /** By what findings are about, where that is a part of the subject. */
  readonly #concerned = new Map<string | undefined, readonly Exemption[]>();

  constructor(
    private readonly exemptions: readonly Exemption[],
    private readonly subject: Subject,
    private readonly now: Date,
  ) {}

  /** The first exemption in force; else the first that would cover the finding had it not expired. */
  find(finding: Finding): ExemptionMatch | undefined {
    let expired: Exemption | undefined;
    for (const exemption of this.#concerning(finding.object?.name)) {
      if (!coversPlace(exemption, finding)) continue;
      if (exemption.until === undefined || (parseEnd(exemption.until) ?? 0) > this.now.getTime()) {
        return { exemption, expired: false };
      }
      expired ??= exemption;
    }
    return expired === undefined ? undefined : { exemption: expired, expired: true };
  }

  #concerning(object: string | undefined): readonly Exemption[] {
    let concerned = this.#concerned.get(object);
    if (concerned === undefined) {
      concerned = this.exemptions.filter((each) => concerns(each, this.subject, object));
      this.#concerned.set(object, concerned);
    }
    return concerned;
  }
}

/** How denials and reports name an exemption. */
export function nameOf({ reason, isComment }: Exemption): string {
  const origin = isComment === true ? 'in the source' : 'of the policy';
  return `exemption${reason === undefined ? '' : ` "${reason}"`} ${origin}`;
}

export function expiredWarning(exemption: Exemption): string {
  return `${nameOf(exemption)} expired at ${exemption.until ?? ''} and no longer counts`;
}

export interface JudgedSubject {
  readonly subject: Subject;
  readonly findings: readonly Finding[];
}

/** Although they are about what was judged, or seem to be, each with why. @param judged by what it was found in */
export function idleExemptions(
  exemptions: readonly Exemption[],
  judged: readonly JudgedSubject[],
): { readonly exemption: Exemption; readonly why: string }[] {
  return exemptions.flatMap((exemption) => {
    const concerned = judged.filter(({ subject }) => concerns(exemption, subject));
    const isUsed = concerned.some(({ subject, findings }) =>
      findings.some((finding) => covers(exemption, finding, subject)),
    );
    const misspelt = misspeltSubjects(exemption, judged);
    if (misspelt.length > 0) return [{ exemption, why: misspelt.join('; ') }];
    return isUsed || concerned.length === 0
      ? []
      : [{ exemption, why: whyIdle(exemption, concerned) }];
  });
}

/** A sentence for each exemption that names what is called a little differently. */
export function misspeltExemptions(
  exemptions: readonly Exemption[],
  judged: readonly Pick<JudgedSubject, 'subject'>[],
): string[] {
  return exemptions.flatMap((exemption) =>
    misspeltSubjects(exemption, judged).map((why) => `${shortNameOf(exemption)} ${why}`),
  );
}

/** @param subjects all that exemptions can be about */
export function exemptionsOfNothing(
  exemptions: readonly Exemption[],
  subjects: readonly Subject[],
): string[] {
  return exemptions.flatMap((exemption) => {
    if (subjects.some((subject) => concerns(exemption, subject))) return [];
    const { names = [], groups = [] } = exemption;
    const meant = misspeltSubjects(
      exemption,
      subjects.map((subject) => ({ subject })),
    );
    const why =
      meant.length > 0
        ? meant.join('; ')
        : `is about nothing on this cluster: ${[...names, ...groups].join(', ')}`;
    return [`${shortNameOf(exemption)} ${why}`];
  });
}

export function shortNameOf({ reason, rules, names, paths, groups }: Exemption): string {
  const listed = (rules ?? names ?? paths ?? groups ?? []).join(', ');
  return `the exemption ${reason === undefined ? listed : `"${reason}"`}`;
}

/** Names and groups that nothing has which was judged, where something has one much like it. */
function misspeltSubjects(
  { names = [], groups = [] }: Exemption,
  judged: readonly Pick<JudgedSubject, 'subject'>[],
): string[] {
  const known = [
    [names, judged.map(({ subject }) => subject.name)],
    [groups, judged.flatMap(({ subject }) => subject.groups)],
  ] as const;
  return known.flatMap(([patterns, texts]) =>
    patterns.flatMap((pattern) => {
      if (texts.some((text) => matches(pattern, text))) return [];
      const meant = texts.find((text) => isMeantBy(pattern, text));
      return meant === undefined
        ? []
        : [`names "${pattern}", as nothing here is called (did you mean "${meant}"?)`];
    }),
  );
}

/** A slip of the hand, a plural or a kind where the whole name is asked for, or capitals. */
function isMeantBy(pattern: string, text: string): boolean {
  const word = pattern.toLowerCase();
  return (
    word === text || [word, `${word}s`].includes(text.split('.')[0] ?? '') || isSlipOf(word, text)
  );
}

function whyIdle({ paths, ...exemption }: Exemption, concerned: readonly JudgedSubject[]): string {
  const all = concerned.flatMap(({ subject, findings }) =>
    findings.map((finding) => ({ finding, isNamed: covers(exemption, finding, subject) })),
  );
  const at = all.flatMap(({ finding: { path, exactPath = path }, isNamed }) =>
    isNamed && exactPath ? [exactPath] : [],
  );
  if (paths !== undefined && at.length > 0) {
    const asked = paths.map((path) => `${path}${didYouMean(path, at)}`).join(', ');
    return `exempts nothing here: what it names is not at ${asked}, but at ${few(at)}`;
  }
  const denied = all.flatMap(({ finding }) => (finding.severity === 'error' ? [finding] : []));
  if (denied.length === 0) return 'exempts nothing here: it can go';
  return `exempts nothing here: what is denied is by ${few(denied.map((finding) => changeName(finding) ?? finding.rule))}`;
}

function few(names: readonly string[]): string {
  return firstNames([...new Set(names)], 3);
}

function covers(exemption: Exemption, finding: Finding, subject: Subject): boolean {
  return coversPlace(exemption, finding) && concerns(exemption, subject, finding.object?.name);
}

/** Whether it covers the finding in whatever it concerns. */
function coversPlace({ families, rules, paths, causes }: Exemption, finding: Finding): boolean {
  return (
    (families === undefined || families.includes(finding.family)) &&
    (rules === undefined || rules.some((name) => isNamed(name, finding))) &&
    (causes === undefined || causes.some((cause) => cause === finding.cause)) &&
    (paths === undefined ||
      paths.some((path) => isAtOrBeneath(path, finding.exactPath ?? finding.path)))
  );
}

/** @param object what a finding is about, where that is a part of the subject: a definition of a bundle */
function concerns({ groups, names }: Exemption, subject: Subject, object = subject.name): boolean {
  return (
    (groups === undefined ||
      groups.some((pattern) => subject.groups.some((group) => matches(pattern, group)))) &&
    (names === undefined ||
      names.some((pattern) => matches(pattern, subject.name) || matches(pattern, object)))
  );
}

/** By its rule, by what changed, or by both as reports print them. */
export function isNamed(name: string, finding: Finding): boolean {
  return [finding.rule, changeName(finding), qualifiedRuleName(finding)].includes(name);
}

/** `*` stands for any run of characters, everything else for itself: no part of a name will do. */
export function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}

function isAtOrBeneath(path: string, candidate: string | undefined): boolean {
  if (candidate === undefined || !candidate.startsWith(path)) return false;
  const next = candidate.charAt(path.length);
  return next === '' || next === '.' || next === '[' || path === '^';
}
