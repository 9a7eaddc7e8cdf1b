/** An upgrade of a CustomResourceDefinition; each comparison of its two sides is made once. */
import { InvalidInputError } from '../../text/documents/index.js';
import type { CustomResourceDefinition, DefinitionVersion } from './custom-resource-definition.js';
import { compareSchemas, type Differences, GatheredFields } from './difference.js';
import { KeywordComparison, SameValues } from './same-schema.js';
import type { Notation } from './schema.js';
import { TypedText } from './typed-text.js';

export type Side = 'old' | 'new';

/** How a profile's reference names and compares schemas. */
export interface Reference {
  readonly notation: Notation;
  /** Whether the reference takes empty and absent lists for the same. */
  readonly emptyIsAbsent: boolean;
  readonly maxDifferences?: number;
}

export class Upgrade {
  readonly #same = new Map<DefinitionVersion, Map<DefinitionVersion, Differences>>();
  readonly #gathered: GatheredFields;
  readonly values = new SameValues();
  // The reference gets the old definition from an API server and the new one from a bundle.
  readonly #texts: Record<Side, TypedText>;
  readonly #exactTexts: Record<Side, TypedText>;
  #differences = 0;

  constructor(
    readonly old: CustomResourceDefinition,
    readonly next: CustomResourceDefinition,
    readonly reference: Reference,
  ) {
    const { emptyIsAbsent, notation } = reference;
    this.#gathered = new GatheredFields(notation);
    this.#texts = {
      old: new TypedText({ stored: true, emptyIsAbsent }),
      new: new TypedText({ stored: false, emptyIsAbsent }),
    };
    this.#exactTexts = {
      old: new TypedText({ stored: true, emptyIsAbsent: false }),
      new: new TypedText({ stored: false, emptyIsAbsent: false }),
    };
  }

  get new(): CustomResourceDefinition {
    return this.next;
  }

  sameVersion(previous: DefinitionVersion, version: DefinitionVersion): Differences {
    let known = this.#same.get(previous);
    if (known === undefined) {
      known = new Map<DefinitionVersion, Differences>();
      this.#same.set(previous, known);
    }
    let differences = known.get(version);
    if (differences === undefined) {
      differences = this.#compare(previous, version, this.#texts);
      known.set(version, differences);
    }
    return differences;
  }

  betweenVersions(side: Side, lower: DefinitionVersion, higher: DefinitionVersion): Differences {
    const text = this.#texts[side];
    return this.#compare(lower, higher, { old: text, new: text });
  }

  keywords(from: Side, to: Side): KeywordComparison {
    return new KeywordComparison(this.#texts[from], this.#texts[to], this.values);
  }

  #compare(
    lower: DefinitionVersion,
    higher: DefinitionVersion,
    texts: Record<Side, TypedText>,
  ): Differences {
    const readings = { ...texts, values: this.values };
    const found = compareSchemas(lower.schema, higher.schema, this.#gathered, readings);
    this.#differences += found.removed.length + found.changed.length;
    const { maxDifferences = Infinity } = this.reference;
    if (this.#differences <= maxDifferences) return found;
    throw new InvalidInputError(
      'E_LIMIT',
      `differs from the stored definition in more than ${maxDifferences} fields, too many to be compared while much else is to be done; try again`,
      { path: '$.new' },
    );
  }

  text(side: Side): TypedText {
    return this.#texts[side];
  }

  /** Texts that differ for empty and absent, even where the reference's comparison does not. */
  exact(side: Side): TypedText {
    return this.#exactTexts[side];
  }
}
