import {
  type ClassicUpgrade,
  judgeClassicUpgrade,
  judgeContract,
  UpgradePair,
} from '../../upgrade/index.js';
import type { Finding } from '../../rule/index.js';
import { findingNamed } from '../../policy/index.js';
import { escalateForSharedOwners } from '../../olm/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { flag, optionalText, record, requiring, text } from './schemas.js';
import { defineOperation } from './operation.js';
import { append } from '../../text/long-lists.js';

const rule = 'ClassicUpgrade';

interface ClassicInput extends ClassicUpgrade {
  readonly owners?: readonly string[];
}

export const crdClassic = defineOperation<ClassicInput>({
  name: 'crd-classic',
  summary: 'Whether OLM classic would replace a CRD, given the objects that exist, with its texts.',
  input: requiring(['currentCRD', 'newCRD', 'crsByVersion'], {
    currentCRD: {
      type: 'object',
      description: 'the CustomResourceDefinition in the cluster, with its status',
    },
    newCRD: { type: 'object', description: 'the CustomResourceDefinition of the InstallPlan' },
    crsByVersion: {
      type: ['object', 'null'],
      description: 'the custom resources as listed in each version',
      additionalProperties: { type: ['array', 'null'] },
    },
    listErrors: {
      type: ['object', 'null'],
      description: 'the text of the error for each version that cannot be listed',
      additionalProperties: text,
    },
    owners: {
      type: 'array',
      items: text,
      description:
        'the ClusterServiceVersions that own the definition, without those that another one replaces; several need every served version',
    },
  }),
  output: record({ allowed: flag, error: optionalText, warningEvent: optionalText }),
  judge({ owners = [], ...upgrade }) {
    const verdict = judgeClassicUpgrade(upgrade);
    const findings: Finding[] = [];
    if (verdict.error !== null) {
      findings.push(findingNamed(rule, { severity: 'error', message: verdict.error }));
    }
    if (verdict.warningEvent !== null) {
      findings.push(findingNamed(rule, { severity: 'warning', message: verdict.warningEvent }));
    }
    // Names alone do not show which replaces which: the caller names those that are there at once.
    const named = owners.map((name) => ({ namespace: '', name, replaces: '' }));
    const warnings = escalateForSharedOwners(contractWarnings(upgrade), () => named);
    append(findings, warnings);
    const allowed = verdict.allowed && warnings.every(({ severity }) => severity !== 'error');
    return { allowed, findings, output: { ...verdict, allowed } };
  },
});

/** OLM classic looks at objects and stored versions only: what clients and appliers meet is reported here. */
function contractWarnings({ currentCRD, newCRD }: ClassicUpgrade): readonly Finding[] {
  try {
    return judgeContract(UpgradePair.read(currentCRD, newCRD)).findings.filter(
      ({ severity }) => severity !== 'info',
    );
  } catch (error) {
    // A definition that OLM's own judgement can do without is no reason to refuse the question.
    if (error instanceof InvalidInputError) return [];
    throw error;
  }
}
