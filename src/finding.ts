/**
 * The one shape in which every check answers, and the one shape in which every door decides.
 * Names and fields are fixed by the preflight interface.
 */

export type Severity = 'error' | 'warning' | 'info';

/** What a change does to objects that are already stored; worst first. */
export type Effect = 'breaking' | 'data-loss' | 'undecided' | 'behavior' | 'safe';

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One thing that a rule has to say about one place. */
export interface Finding {
  /** The rule's name, as in docs/rules.md: `NoScopeChange`, `ChangeValidator`, … */
  readonly rule: string;
  /** The check family of the rule, as a policy's modes and a switch-off name it. */
  readonly family: Family;
  readonly severity: Severity;
  /** One sentence, or the text of the reference implementation where one exists. */
  readonly message: string;
  readonly effect?: Effect;
  /** No proof could be looked for, so that the rule decides also where only proofs are enforced. */
  readonly unprovable?: true;
  readonly object?: ObjectReference;
  /** Version of the CustomResourceDefinition, or `LOWER -> HIGHER` for a pair of versions. */
  readonly version?: string;
  /** Path notation of the rule's own profile, e.g. `^.spec.size`. */
  readonly path?: string;
  /** Stable identity of the single difference behind the finding; the same cause has the same text. */
  readonly cause?: string;
  /** An object that shows the finding is real. */
  readonly witness?: unknown;
  /** An RFC 6902 patch, or a sentence, that would make the finding go away. */
  readonly fix?: unknown;
  /** Where the rule is explained: `docs/rules.md#<anchor>`. */
  readonly docs: string;
}

export interface Verdict {
  readonly allowed: boolean;
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  /** Which switch-off let a refused request through. */
  readonly bypassedBy?: string;
}

/** Check families: what a policy mode or a switch-off annotation names. */
export const families = [
  'crd-upgrade-safety',
  'stored-objects',
  'operator-groups',
  'install-plans',
  'catalogs',
  'resolution',
  'definition',
] as const;
export type Family = (typeof families)[number];

/** The anchor under which docs/rules.md explains a rule (GitHub's own heading anchors). */
export function docsFor(rule: string): string {
  return `docs/rules.md#${rule
    .toLowerCase()
    .replaceAll(/[^a-z0-9_ -]/g, '')
    .replaceAll(' ', '-')}`;
}
