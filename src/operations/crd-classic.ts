/** Operation `crd-classic`: would OLM classic's InstallPlan replace this CRD? */
import { judgeClassicUpgrade, type ClassicUpgrade } from '../crd/classic/index.js';
import { docsFor, type Finding } from '../finding.js';
import { defineOperation } from './operation.js';

const rule = 'ClassicUpgrade';

export const crdClassic = defineOperation<ClassicUpgrade>({
  name: 'crd-classic',
  summary: 'Whether OLM classic would replace a CRD, given the objects that exist, with its texts.',
  input: {
    type: 'object',
    required: ['currentCRD', 'newCRD', 'crsByVersion'],
    properties: {
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
        additionalProperties: { type: 'string' },
      },
    },
  },
  output: {
    type: 'object',
    properties: {
      allowed: { type: 'boolean' },
      error: { type: ['string', 'null'] },
      warningEvent: { type: ['string', 'null'] },
    },
  },
  judge(upgrade) {
    const verdict = judgeClassicUpgrade(upgrade);
    const findings: Finding[] = [];
    if (verdict.error !== null) {
      findings.push({
        rule,
        family: 'install-plans',
        severity: 'error',
        message: verdict.error,
        docs: docsFor(rule),
      });
    }
    if (verdict.warningEvent !== null) {
      findings.push({
        rule,
        family: 'install-plans',
        severity: 'warning',
        message: verdict.warningEvent,
        docs: docsFor(rule),
      });
    }
    return { allowed: verdict.allowed, findings, output: verdict };
  },
});
