import type { Family, MildHarm } from '../rule/index.js';
import { type CrdifyOptions, rollbackRule } from '../upgrade/index.js';

export const modes = ['deny', 'warn', 'audit'] as const;
export type Mode = (typeof modes)[number];

export const profiles = ['olm-v1', 'crdify', 'olm-v1.10', 'proof'] as const;
export type Profile = (typeof profiles)[number];

export const undecidedChoices = ['rule', 'warn', 'deny'] as const;

export const enforcements = ['all', 'proven', 'stuck'] as const;

/** Default modes of families about harm to others than stored objects. */
export const contractModes: ReadonlyMap<Family, Mode> = new Map([
  ['client-contract', 'warn'],
  ['apply-contract', 'warn'],
  ['reader-contract', 'audit'],
  ['display', 'audit'],
  ['rollback', 'audit'],
]);

/** Harm that is only warned of unless `modes` raise its kind, and why; docs/verdicts.md has this table. */
export const mildHarm: Readonly<Record<MildHarm, string>> = {
  AbsurdValue:
    'only an object with an absurd value is refused, such as a negative number of replicas or a list in place of a text',
  StatusHarmed:
    'only status is affected, which the next reconcile writes; a controller that does not yet write what is new there is refused when it writes status',
  BehaviorChanged: 'no object breaks, though an unchanged manifest may come to mean something else',
};

/** A converter is asked at one moment from one place, and may be on its way: that alone denies nothing. */
export function usualMode(family: Family): Mode {
  return contractModes.get(family) ?? (family === 'conversion' ? 'warn' : 'deny');
}

/** `frozen` denies every change but of descriptions. */
export const promiseModes = [...modes, 'frozen'] as const;
export type PromiseMode = (typeof promiseModes)[number];

/**
 * A promise of the API about some places. The first entry that matches a finding decides its mode; every
 * field that is given must match.
 */
export interface ApiPromise {
  /** Whole names of versions; `*` stands for any run of characters. */
  readonly versions?: readonly string[];
  /** Each covers what is beneath it; `*` stands for characters of one step, `**` for any number of steps. */
  readonly paths?: readonly string[];
  readonly rules?: readonly string[];
  /** Places whose old description, or that of a field around them, begins with "Deprecated". */
  readonly deprecated?: true;
  /** Whole names of the branch that a change is for; only commands know it. */
  readonly branches?: readonly string[];
  readonly mode: PromiseMode;
}

export function rollbackMode({ modes }: Pick<Policy, 'modes'>): Mode | undefined {
  return modes.get(rollbackRule.id) ?? modes.get(rollbackRule.family);
}

/** Where a switch-off may stand; also the `by` label of `olm_guard_bypasses_total`. */
export const bypassSources = [
  'crd',
  'clusterextension',
  'rukpak',
  'operatorgroup',
  'subscription',
  'csv',
] as const;
export type BypassSource = (typeof bypassSources)[number];

/**
 * Findings that are known and accepted. Every list that is given must match; a list that is left
 * out matches everything.
 */
export interface Exemption {
  readonly families?: readonly Family[];
  /** Whole API groups of the objects, for a CustomResourceDefinition `spec.group`; `*` as in names. */
  readonly groups?: readonly string[];
  /** Whole names of the objects; `*` stands for any run of characters. */
  readonly names?: readonly string[];
  readonly rules?: readonly string[];
  /** Paths in the rule's own notation; a path covers everything beneath it. */
  readonly paths?: readonly string[];
  readonly reason?: string;
  /** A date (its midnight in UTC) or RFC 3339; from this moment on the exemption no longer counts. */
  readonly until?: string;
  /** Single differences, by their cause: only a comment beside one names it. */
  readonly causes?: readonly string[];
  /** It is such a comment. */
  readonly isComment?: true;
}

/**
 * A field manager whose switch-offs count beside other fields, as Argo CD and Flux bring them. The name
 * is what the requester says: so it is bound to the users who may set one under it.
 */
interface SwitchOffManager {
  readonly name: string;
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

interface Budgets {
  readonly storedObjectsSeconds: number;
  /** For a conversion webhook that a definition names; 0 asks none. */
  readonly conversionSeconds: number;
  /** Bytes of UTF-8 in the message of a denial. */
  readonly messageBytes: number;
  /** Entries in `status.details.causes`. */
  readonly causes: number;
  readonly concurrentReviews: number;
}

export interface Policy {
  readonly profile: Profile;
  /**
   * `proven` denies only proven breakage and data loss, and warns about the rest; `stuck` of the
   * breakage only what leaves stored objects that cannot be updated.
   */
  readonly enforce: (typeof enforcements)[number];
  readonly crdify?: CrdifyOptions;
  /** The file of crdify that says so instead, from the folder of the policy; only commands read it. */
  readonly crdifyFile?: string;
  /** The decision where neither harm nor safety is shown; `rule`: what the profile's rule says. */
  readonly undecided: (typeof undecidedChoices)[number];
  /** The answer when the gate has not the time, the capacity or the rights to judge. */
  readonly unjudged: 'allow' | 'deny';
  /** Whether findings that the old object already has are held against the request. */
  readonly ratchet: boolean;
  /** The OLD of `check crd` where only NEW is named; `git:REF` is each path at that commit. */
  readonly old?: string;
  /** The paths that `check crd` compares where none is named, from the folder of the file. */
  readonly paths?: readonly string[];
  /**
   * Minors of Kubernetes that commands ask whether they take a definition, as in `1.30..1.36`; the
   * newest denies and older ones warn where it is left out. Formats of numbers count where one is of
   * 1.36 or later.
   */
  readonly kubernetes?: string;
  /** By family or rule; a rule's own entry wins over its family's. */
  readonly modes: ReadonlyMap<string, Mode>;
  readonly promises: readonly ApiPromise[];
  /** The branch that the change is for; in no file. `isCertain`: its author cannot have chosen the name. */
  readonly branch?: { readonly name: string; readonly isCertain: boolean };
  /** Why denials only warn: a reason or a label; in no file. */
  readonly acknowledged?: string;
  readonly exemptions: readonly Exemption[];
  readonly bypass: {
    readonly allowed: boolean;
    readonly sources: readonly BypassSource[];
    /** Whether what is in a namespace may switch off what protects the others. */
    readonly clusterWide: boolean;
    /** Groups of users whose members may set one; when empty, any user who may write the object. */
    readonly groups: readonly string[];
    readonly managers: readonly SwitchOffManager[];
  };
  readonly budgets: Budgets;
  readonly trusted: { readonly olmServiceAccounts: readonly string[] };
}

/** The cluster's minor counts where none is named. @param version the API server's `gitVersion` */
export function policyForCluster(policy: Policy, version: string | null): Policy {
  const minor = /\d+\.\d+/.exec(version ?? '')?.[0];
  if (minor === undefined) return policy;
  return { ...policy, kubernetes: (policy.kubernetes ?? 'cluster').replaceAll('cluster', minor) };
}

export const defaultPolicy: Policy = {
  profile: 'olm-v1',
  enforce: 'proven',
  undecided: 'rule',
  unjudged: 'allow',
  ratchet: true,
  modes: new Map(),
  promises: [],
  exemptions: [],
  bypass: {
    allowed: true,
    sources: ['crd', 'clusterextension', 'rukpak', 'operatorgroup'],
    clusterWide: false,
    groups: [],
    managers: [],
  },
  budgets: {
    storedObjectsSeconds: 2,
    conversionSeconds: 2,
    messageBytes: 8192,
    causes: 100,
    concurrentReviews: 64,
  },
  trusted: {
    olmServiceAccounts: [
      'system:serviceaccount:olm:olm-operator-serviceaccount',
      'system:serviceaccount:openshift-operator-lifecycle-manager:olm-operator-serviceaccount',
      'system:serviceaccount:olmv1-system:operator-controller-controller-manager',
      'system:serviceaccount:openshift-operator-controller:operator-controller-controller-manager',
    ],
  },
};

/** Everything is denied that the profile refuses, as its reference does (`--strict`). */
export function strictPolicy(policy: Policy): Policy {
  return { ...policy, enforce: 'all', ratchet: false };
}
