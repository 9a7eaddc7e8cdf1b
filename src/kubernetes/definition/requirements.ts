/** Requirements on a definition; an update may leave some of them unmet as before. */

/** The same words as upstream's `validationOptions`. */
export interface Requirements {
  readonly recognizedReviewVersion: boolean;
  readonly immutableNames: boolean;
  readonly schema: boolean;
  readonly knownTypes: boolean;
  readonly structuralSchema: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSetItems: boolean;
  readonly mapListKeys: boolean;
  readonly validCaBundle: boolean;
  /** Rules and messages whose text the old definition has somewhere. */
  readonly storedRules: ReadonlySet<string>;
  readonly storedMessages: ReadonlySet<string>;
  /** Whether a version has the schema that it had, so that its rules may cost what they cost. */
  readonly hasSameSchema: (version: string) => boolean;
  /** Whether too many selectable fields may stay: of a version, or with '' of all of them. */
  readonly mayStaySelectable: (version: string) => boolean;
}

const none: ReadonlySet<string> = new Set();

export const ofCreate: Requirements = {
  recognizedReviewVersion: true,
  immutableNames: false,
  schema: true,
  knownTypes: true,
  structuralSchema: true,
  prunedDefaults: true,
  atomicSetItems: true,
  mapListKeys: true,
  validCaBundle: false,
  storedRules: none,
  storedMessages: none,
  hasSameSchema: () => false,
  mayStaySelectable: () => false,
};
