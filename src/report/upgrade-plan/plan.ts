/** The plan of an upgrade: what to do in which order, and what each step changes. */
import { plural } from '../../text/plural.js';
import {
  severities,
  type Audience,
  type Effect,
  type Family,
  type Finding,
  type Severity,
} from '../../rule/index.js';

export interface UpgradePlan {
  readonly headline: string;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  /** A sentence where no catalog has one of the two, and which versions there are. */
  readonly notInCatalog?: string;
  /** Warnings about the plan itself, a sentence each: that the change brings its own policy. */
  readonly warnings?: readonly string[];
  readonly by: 'manifests' | 'chart' | 'classic' | 'v1';
  /** Whether nothing has to be done first, and nothing is in the way. */
  readonly isClear: boolean;
  /** Actions in the order in which to take them. */
  readonly actions: readonly PlannedAction[];
  readonly steps: readonly PlannedStep[];
  readonly obstacles: readonly Obstacle[];
  /** Checks that were not made and why, a sentence each. */
  readonly unchecked: readonly string[];
}

export interface PlannedAction {
  readonly kind: 'clear' | 'mend' | 'back-up' | 'migrate' | 'apply' | 'approve' | 'roll-out';
  readonly sentence: string;
  /** For a shell. */
  readonly command?: string;
  /** The upgrade does not get past this one until it is done. */
  readonly isNeeded: boolean;
  /** Which step it belongs to, from 1; absent before the first. */
  readonly step?: number;
}

/** `migrate first`: what is denied is only that a version leaves in which objects are stored. */
export type PlannedState = 'clear' | 'migrate first' | 'blocked' | 'not checked';

export interface PlannedStep {
  readonly from: string;
  readonly to: string;
  /** Why it is taken; absent where there is only one. */
  readonly why?: string;
  readonly state: PlannedState;
  readonly definitions: readonly PlannedDefinition[];
  /** Definitions that stay as they are. */
  readonly unchanged: number;
  readonly unchecked: readonly string[];
}

export interface PlannedDefinition {
  readonly name: string;
  readonly isNamespaced: boolean;
  readonly change: 'changed' | 'added' | 'removed';
  readonly state: PlannedState;
  /** The affected audiences, the gravest first. */
  readonly audiences: readonly PlannedAudience[];
  /** Why it is still denied once everything is migrated, the gravest first; none where it is not. */
  readonly denied: readonly string[];
  readonly migration?: {
    readonly versions: readonly string[];
    /** Instructions, in the words of the rule. */
    readonly sentences: readonly string[];
  };
  readonly rollback?: { readonly effect: Effect; readonly message: string };
  /** Exempted findings: no audience counts them. */
  readonly exempted: readonly ExemptedFinding[];
  readonly warnings: readonly string[];
}

export interface ExemptedFinding {
  readonly rule: string;
  readonly message: string;
  /** `exemption "REASON" of the policy` */
  readonly exemption: string;
}

export interface PlannedAudience {
  /** The family of rules, for findings about no particular audience. */
  readonly audience: Audience | Family;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly worst: Finding;
}

/** Something on the cluster that the upgrade meets. */
export interface Obstacle {
  /** `OperatorGroup billing/billing` */
  readonly object: string;
  readonly isInTheWay: boolean;
  readonly rule: string;
  readonly message: string;
  /** The remedy, where it is not the rule's. */
  readonly instead?: string;
  /** A command that shows more, where that is not the object itself. */
  readonly command?: string;
}

/** `3 steps, 1 blocked, migrate 2 kinds first, 1 obstacle` */
export function headlineOf({
  subject,
  from,
  to,
  steps,
  obstacles,
  unchecked,
}: Omit<UpgradePlan, 'headline' | 'by' | 'isClear' | 'actions'>): string {
  const inState = (state: PlannedState): number =>
    steps.filter((step) => step.state === state).length;
  const migrated = new Set(
    steps.flatMap(({ definitions }) =>
      definitions.filter(({ migration }) => migration !== undefined).map(({ name }) => name),
    ),
  ).size;
  const known = new Set(
    obstacles.filter(({ isInTheWay }) => isInTheWay).map(({ object }) => object),
  ).size;
  const blocked = inState('blocked');
  const unseen = inState('not checked');
  const parts = [
    plural(steps.length, 'step'),
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
    ...(migrated === 0 ? [] : [`migrate ${plural(migrated, 'kind')} first`]),
    ...(known === 0 ? [] : [plural(known, 'obstacle')]),
    ...(blocked + migrated + known + unseen === 0 ? ['nothing found in the way'] : []),
    ...(unseen > 0
      ? [`definitions of ${plural(unseen, 'step')} not checked`]
      : unchecked.length > 0
        ? ['not everything was checked']
        : []),
  ];
  const where = steps.length === 0 && to === from ? '' : ` to ${to}`;
  return `Upgrade of ${subject} from ${from}${where}: ${parts.join(', ')}`;
}

/** Whether no step could be checked, and nothing else is known to be in the way. */
export function isUnknown({ steps, actions }: Pick<UpgradePlan, 'steps' | 'actions'>): boolean {
  return (
    steps.length > 0 &&
    steps.every(({ state }) => state === 'not checked') &&
    !actions.some(({ isNeeded }) => isNeeded)
  );
}

/** `: minimum raised`; nothing where the reasons for which the definition is denied have said it. */
export function worstWords({ worst }: PlannedAudience, denied: readonly string[]): string {
  return denied.includes(worst.message) ? '' : `: ${worst.message}`;
}

/** `2 errors, 1 note` */
export function countWords(counts: PlannedAudience['counts']): string {
  const words = { error: 'error', warning: 'warning', info: 'note' } as const;
  return severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => plural(counts[severity], words[severity]))
    .join(', ');
}

/** `NoScopeChange: scope changed (exemption "agreed with all users" of the policy)` */
export function exemptWords({ rule, message, exemption }: ExemptedFinding): string {
  return `${rule}: ${message} (${exemption})`;
}
