import { from, rulesWith, sources } from '../../../rule/index.js';
import { dependsOn } from './example-bundle.js';

const lintRule = rulesWith({ subject: 'bundle', family: 'resolution' });

const documented = from.openShift('Operator Lifecycle Manager dependency resolution');
const parse = from.olmApi('pkg/constraints/constraint.go', 'Parse');
const readable = dependsOn(
  'olm.constraint',
  "{ failureMessage: needs dogs, package: { packageName: dogs, versionRange: '>=1.0.0' } }",
);

export const lintRules = {
  apiWithoutVersion: lintRule({
    id: 'ApiWithoutMinimumVersion',
    severity: 'warning',
    checks: 'A dependency on an API comes with a dependency on a package with a minimum version.',
    why: 'An API version may gain fields without a new name, so a dependency on the API alone can be met by an operator that is too old.',
    instead: 'Where its provider is known, add a dependency on the package with a minimum version.',
    source: documented,
    messages: {
      unbounded: 'the bundle needs the API {kind} {version} and no package with a minimum version',
    },
    example: {
      after: dependsOn('olm.gvk', '{ group: example.com, version: v1, kind: Dog }'),
      says: 'the bundle needs the API Dog v1 and no package with a minimum version',
      accepted: dependsOn('olm.package', "{ packageName: dogs, version: '>=1.0.1' }"),
    },
  }),
  tightMaximum: lintRule({
    id: 'TightMaximumVersion',
    severity: 'warning',
    checks: 'The range of a dependency has no tight upper bound.',
    why: 'It keeps every other user of the dependency from being updated, and cuts off the update path its author laid.',
    instead:
      'Leave the maximum out, make it the next major version, or exclude single bad versions with !1.2.1.',
    source: documented,
    messages: {
      exact: 'the range {range} on package {package} allows only exact versions',
      tight: 'the range {range} on package {package} ends within one major version',
    },
    example: {
      after: dependsOn('olm.package', "{ packageName: dogs, version: '>=1.2.0 <1.3.0' }"),
      says: 'the range >=1.2.0 <1.3.0 on package dogs ends within one major version',
      accepted: dependsOn('olm.package', "{ packageName: dogs, version: '>=1.2.0 <2.0.0' }"),
    },
  }),
  constraintSize: lintRule({
    id: 'ConstraintTooLarge',
    severity: 'warning',
    checks: 'A constraint has at most 64 KiB.',
    why: 'OpenShift’s documentation allows no more; OLM refuses one of more than 131,072 bytes, and then resolves nothing in the namespace.',
    instead: 'Split the constraint into several dependencies.',
    source: sources(documented, parse),
    messages: {
      undocumented:
        'the constraint has {size} bytes; OpenShift’s documentation allows 65536, OLM still reads it',
      refused: 'the constraint has {size} bytes; OLM refuses more than {limit}',
    },
    example: {
      after: dependsOn('olm.constraint', `{ failureMessage: ${'x'.repeat(66_000)}, all: {} }`),
      says: 'OpenShift’s documentation allows 65536, OLM still reads it',
      accepted: readable,
    },
  }),
  unreadable: lintRule({
    id: 'UnreadableConstraint',
    severity: 'error',
    checks: 'OLM can read every constraint of a bundle.',
    why: 'One that it cannot read, in a bundle within reach, stops the resolution of every namespace that can see it.',
    instead: 'Write the keys as OLM has them: packageName where the documents say name.',
    source: sources(documented, parse),
    messages: {
      oneBeside: '{keys} stands beside value, where OLM does not read it',
      severalBeside: '{keys} stand beside value, where OLM does not read them',
      unreadable: 'OLM cannot read the constraint: {problem}',
    },
    example: {
      after: dependsOn(
        'olm.constraint',
        "{ failureMessage: needs dogs, package: { name: dogs, versionRange: '>=1.0.0' } }",
      ),
      says: 'OLM cannot read the constraint: parse olm.constraint: json: unknown field "name"',
      accepted: readable,
    },
  }),
  negation: lintRule({
    id: 'NegationForbidsNothing',
    severity: 'warning',
    checks: 'No constraint relies on not to keep something from being installed.',
    why: 'To OLM, `not` means “some bundle that is not such”, which nearly every bundle is, also the one that asks. Under all or any it only narrows the choice of that one bundle.',
    instead: 'Leave it out; OLM has no way to forbid another operator.',
    source: sources(documented, parse),
    messages: {
      narrows:
        'not stands under {parent}, where OpenShift’s documentation advises against it: OLM only narrows the choice of the one bundle that meets the rest',
      forbidsNothing:
        'not forbids nothing to OLM: any bundle that is not such meets it, also this one',
    },
    example: {
      after: dependsOn(
        'olm.constraint',
        "{ failureMessage: no dogs, not: { constraints: [{ package: { packageName: dogs, versionRange: '>=1.0.0' } }] } }",
      ),
      says: 'not forbids nothing to OLM',
      accepted: readable,
    },
  }),
  oneBundle: lintRule({
    id: 'AllMeansOneBundle',
    severity: 'warning',
    checks: 'The parts of an all constraint can be met by one bundle.',
    why: 'To OLM, `all` wants one bundle that meets every part.',
    instead: 'Make parts that different operators are meant to meet separate dependencies.',
    source: sources(
      documented,
      from.olm('pkg/controller/registry/resolver/cache/predicates.go', 'And'),
    ),
    messages: {
      several:
        'all names a package and something else that other operators may provide; OLM wants one bundle that meets both',
    },
    example: {
      after: dependsOn(
        'olm.constraint',
        "{ failureMessage: needs both, all: { constraints: [{ package: { packageName: dogs, versionRange: '>=1.0.0' } }, { gvk: { group: example.com, version: v1, kind: Bird } }] } }",
      ),
      says: 'OLM wants one bundle that meets both',
      accepted: readable,
    },
  }),
  celVariable: lintRule({
    id: 'UnknownCelVariable',
    severity: 'error',
    checks: 'A CEL rule uses the variable properties only.',
    why: 'There is no cluster information in it, whatever OpenShift’s documentation says. One such rule in a bundle within reach stops the resolution of every namespace that can see it.',
    instead: 'Use only the variable properties and the function semver_compare.',
    source: sources(documented, from.olmApi('pkg/constraints/cel.go', 'NewCelEnvironment')),
    messages: { unknown: 'the CEL rule names {variable}, which OLM does not know: {problem}' },
    example: {
      after: dependsOn(
        'olm.constraint',
        `{ failureMessage: needs 4.12, cel: { rule: 'cluster.version == "4.12"' } }`,
      ),
      says: 'the CEL rule names cluster, which OLM does not know',
      accepted: dependsOn(
        'olm.constraint',
        `{ failureMessage: needs stable, cel: { rule: 'properties.exists(p, p.type == "stable")' } }`,
      ),
    },
  }),
  nestedProperty: lintRule({
    id: 'NestedProperty',
    severity: 'warning',
    checks: 'Entries of properties.yaml have type and value directly.',
    why: 'The documents print them below `property:`. OLM does not read those.',
    instead: 'Write type and value directly into the entry of the list.',
    source: sources(documented, from.operatorRegistry('alpha/property/property.go', 'Parse')),
    messages: { nested: 'the property is nested below "property:", where OLM does not read it' },
    example: {
      after: 'properties: [{ property: { type: color, value: red } }]',
      says: 'property',
      accepted: 'properties: [{ type: color, value: red }]',
    },
  }),
};
