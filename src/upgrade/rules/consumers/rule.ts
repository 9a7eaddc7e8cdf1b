import { defineRule, type Rule, type RuleDescription } from '../../../rule/index.js';

const common = {
  family: 'crd-upgrade-safety',
  subject: 'consumers',
  audience: 'clients',
  // The two definitions alone show that something needed is removed.
  awaitsProof: false,
} as const;

type Described = Omit<RuleDescription, keyof typeof common>;

export function defineConsumerRule<const Definition extends Described>(
  definition: Definition,
): Rule<Definition & typeof common> {
  return defineRule({ ...definition, ...common });
}

export const neededDefinition = `
      spec:
        versions:
        - name: v1
          served: true
          storage: true
          subresources: { status: {}, scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.size } }
          schema: { openAPIV3Schema: { properties: { spec: { properties: { size: { type: integer } } } } } }`;
