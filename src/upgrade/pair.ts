import {
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from './crd/custom-resource-definition.js';
import { Upgrade, type Reference } from './crd/upgrade.js';
import { KnownSchemas, type Release } from '../kubernetes/index.js';
import { proveUpgrade, type ProofJudgement } from './proof/index.js';
import type { JsonValue } from '../text/documents/index.js';
import {
  kubernetesRefusals,
  type KubernetesRefusals,
  hasSameObjectSemantics,
} from './rules/crd/kubernetes-refusals.js';
import { olmReference } from './rules/crd/olm-v1.js';
import type { CrdifyOptions } from './rules/crd/rule.js';

export interface PairLimits extends Pick<Reference, 'maxDifferences'> {
  /** When it is true, what a proof has not decided yet stays undecided. */
  readonly isOver?: (() => boolean) | undefined;
  /** An API server has compiled the new definition's rules: one which does not compile here breaks nothing. */
  readonly isTaken?: boolean;
  /** Budget of a proof, in values; the proof's own limit by default. */
  readonly values?: number;
}

export interface PairOptions extends PairLimits {
  readonly crdify?: CrdifyOptions | undefined;
  readonly release?: Release | undefined;
}

export class UpgradePair {
  /** Where they differ, as OLM v1 compares them. */
  readonly upgrade: Upgrade;
  readonly known: KnownSchemas;
  #refusals: KubernetesRefusals | undefined;
  #proof: ProofJudgement | undefined;
  #ofOld: UpgradePair | undefined;

  constructor(
    readonly old: CustomResourceDefinition,
    readonly next: CustomResourceDefinition,
    readonly options: PairOptions = {},
  ) {
    this.known = new KnownSchemas(options.release);
    this.upgrade = new Upgrade(old, next, this.compared(olmReference));
  }

  /** @throws InvalidInputError `E_INPUT`, below `$.old` or `$.new`, for what is no v1 CustomResourceDefinition */
  static read(old: JsonValue, next: JsonValue, options?: PairOptions): UpgradePair {
    return new UpgradePair(
      readCustomResourceDefinition(old, { path: '$.old' }),
      readCustomResourceDefinition(next, { path: '$.new' }),
      options,
    );
  }

  /** A reference that compares no more than this pair is worth. */
  compared(reference: Reference): Reference {
    const { maxDifferences } = this.options;
    return maxDifferences === undefined ? reference : { ...reference, maxDifferences };
  }

  /** Refusals of the API server itself, for profiles without rules about a definition as a whole. */
  get refusals(): KubernetesRefusals {
    return (this.#refusals ??= kubernetesRefusals(this.upgrade));
  }

  /** @throws InvalidInputError when the names differ or schemas cannot be read */
  get proof(): ProofJudgement {
    const { isOver, isTaken, values } = this.options;
    const { known } = this;
    return (this.#proof ??= proveUpgrade(this.old, this.next, { isOver, isTaken, known, values }));
  }

  get ofOld(): UpgradePair {
    return (this.#ofOld ??= new UpgradePair(this.old, this.old, this.options));
  }

  /** Whether nothing changes by which objects are read or written, so that no proof is needed. */
  get hasSameObjectSemantics(): boolean {
    return hasSameObjectSemantics(this.old.document, this.next.document);
  }
}
