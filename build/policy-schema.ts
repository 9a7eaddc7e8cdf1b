/** The schema of the policy file as it is published: with the names of rules, so that editors complete and explain them. */
import { modes } from '../src/policy/policy.js';
import { policySchema } from '../src/policy/schema.js';
import { families } from '../src/rule/finding.js';
import { ruleOfChange } from '../src/upgrade/rules/crd/change-name.js';
import { rules } from '../src/policy/rules/registry.js';
import { namesOf } from '../src/rule/rule.js';

/** What reading a policy refuses beyond its shape, names that nothing has, is refused here too. */
export function publishedPolicySchema(): object {
  const { properties } = policySchema as unknown as {
    properties: Record<'modes' | 'exemptions', object> & {
      exemptions: { items: { properties: Record<'families' | 'rules', object> } };
    };
  };
  const { exemptions } = properties;
  const named = rules.flatMap((rule) =>
    namesOf(rule).map((name) => [name, { description: rule.checks, enum: modes }] as const),
  );
  return {
    ...policySchema,
    properties: {
      ...properties,
      modes: {
        ...properties.modes,
        properties: Object.fromEntries([
          ...families.map((family) => [family, { enum: modes }] as const),
          ...named,
        ]),
        additionalProperties: false,
      },
      exemptions: {
        ...exemptions,
        items: {
          ...exemptions.items,
          properties: {
            ...exemptions.items.properties,
            families: oneOf(exemptions.items.properties.families, families),
            rules: oneOf(exemptions.items.properties.rules, [
              ...named.map(([name]) => name),
              ...ruleOfChange.keys(),
            ]),
          },
        },
      },
    },
  };
}

const oneOf = (list: object, names: readonly string[]): object => ({
  ...list,
  items: { enum: [...new Set(names)] },
});
