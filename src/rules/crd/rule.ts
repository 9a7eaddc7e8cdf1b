/** What a rule of CRD upgrade safety is: its identity as data, and one pure comparison. */
import type { JsonObject } from '../../text/documents/index.js';
import type { DocumentPlace } from '../../crd/place.js';
import type { Upgrade } from '../../crd/upgrade.js';

/** Profiles whose verdicts and texts are those of a reference implementation. */
export type ReferenceProfile = 'olm-v1' | 'crdify';

/** What a rule says about one difference, in the words of each reference that has the rule. */
export type Texts = Readonly<Partial<Record<ReferenceProfile, string>>>;

interface Identity {
  /** The name in `crdify`, and the `validation` of its errors. */
  readonly name: string;
  /** Where each reference has the rule. */
  readonly upstream: Readonly<Partial<Record<ReferenceProfile, string>>>;
  /** What is refused. */
  readonly checks: string;
  /** What would break. */
  readonly why: string;
}

/** Looks at one keyword of one field, on two sides. */
export interface PropertyRule extends Identity {
  readonly kind: 'property';
  /** The keyword that the rule explains: a difference in it alone is no unknown change. */
  readonly keyword: string;
  /** @throws InvalidInputError `E_INPUT` for a keyword with a value it cannot have. */
  readonly compare: (old: JsonObject, next: JsonObject) => Texts | undefined;
}

/** One thing that a rule about whole CustomResourceDefinitions found, and where it stands. */
export interface DefinitionDifference {
  readonly texts: Texts;
  readonly version?: string;
  readonly path?: string;
  readonly place: DocumentPlace;
}

/** Looks at two CustomResourceDefinitions as a whole. */
export interface DefinitionRule extends Identity {
  readonly kind: 'definition';
  /** The name of the validator in `olm-v1`. */
  readonly validator: string;
  readonly compare: (upgrade: Upgrade) => readonly DefinitionDifference[];
}

export type Rule = PropertyRule | DefinitionRule;

/** Defines a rule; the type is what makes the row complete. */
export function defineRule<Defined extends Rule>(rule: Defined): Defined {
  return rule;
}
