/** The rules about a bundle's properties and dependencies. */
import type { ExplainedRule, Family } from '../finding.js';

const family: Family = 'resolution';

export const lintRules = {
  apiWithoutVersion: {
    name: 'ApiWithoutMinimumVersion',
    family,
    severity: 'warning',
    explain:
      'An API version may gain fields without a new name, so a dependency on the API alone can be met by an operator that is too old. Where its provider is known, a package dependency with a minimum version says which one is meant.',
  },
  tightMaximum: {
    name: 'TightMaximumVersion',
    family,
    severity: 'warning',
    explain:
      'A small upper bound keeps every other user of the dependency from being updated, and cuts off the update path its author laid. Leave the maximum out, make it the next major version, or exclude single bad versions with !1.2.1.',
  },
  constraintSize: {
    name: 'ConstraintTooLarge',
    family,
    severity: 'warning',
    explain:
      'OpenShift’s documentation allows a constraint of 64 KB; OLM refuses one of more than 131,072 bytes, and then resolves nothing in the namespace.',
  },
  unreadable: {
    name: 'UnreadableConstraint',
    family,
    severity: 'error',
    explain:
      'OLM cannot read the constraint. One such constraint in a bundle within reach stops the resolution of every namespace that can see it.',
  },
  negation: {
    name: 'NegationForbidsNothing',
    family,
    severity: 'warning',
    explain:
      'To OLM, `not` means "some bundle that is not such", which nearly every bundle is, also the one that asks; it keeps nothing from being installed. Under all or any it only narrows the choice of that one bundle.',
  },
  oneBundle: {
    name: 'AllMeansOneBundle',
    family,
    severity: 'warning',
    explain:
      'To OLM, `all` wants one bundle that meets every part. Parts that different operators are meant to meet must be separate dependencies.',
  },
  celVariable: {
    name: 'UnknownCelVariable',
    family,
    severity: 'error',
    explain:
      'CEL rules see the variable `properties` only; there is no cluster information, whatever OpenShift’s documentation says. One such rule in a bundle within reach stops the resolution of every namespace that can see it.',
  },
  nestedProperty: {
    name: 'NestedProperty',
    family,
    severity: 'warning',
    explain:
      'The documents print properties.yaml with entries below `property:`. OLM does not read those; type and value belong directly into the entry.',
  },
} as const satisfies Record<string, ExplainedRule>;

/** One thing to say about one place of the metadata. */
export interface Advice {
  readonly rule: ExplainedRule;
  readonly message: string;
  readonly path: string;
  readonly fix?: string;
}
