import { oncePer } from '../../../once.js';
import type { Csv } from '../../../objects/cluster-service-version.js';
import { flagAt, textAt, textsAt } from '../../../objects/fields.js';
import type { JsonObject } from '../../../../text/documents/index.js';
import { from } from '../../../../rule/index.js';
import { defineOlmRule, type Problem, type RuleContext } from '../rule.js';
import { reviewedCsv } from './csv-review.js';
import { webhooksOf } from './webhooks.js';
import { exampleOperator } from '../example-operator.js';

export const conversionWebhook = defineOlmRule({
  id: 'ConversionWebhook',
  subject: 'ClusterServiceVersion',
  requests: ['CREATE', 'UPDATE'],
  family: 'operator-groups',
  severity: 'error',
  protects: 'own-namespace',
  blocksUpgrade: false,
  checks:
    'A ClusterServiceVersion with a conversion webhook supports AllNamespaces and nothing else, and owns the CustomResourceDefinitions that it converts.',
  why: 'A conversion webhook serves the whole cluster, so OLM manages it only for such operators, and only for definitions that do not preserve unknown fields.',
  otherwise:
    'unable to manage conversion webhook: CSVs with conversion webhooks must support only AllNamespaces',
  instead: 'Support AllNamespaces alone, and convert only what the operator owns.',
  source: from.olm('pkg/controller/install/webhook.go', 'createOrUpdateConversionWebhook'),
  example: {
    before:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: {}, status: { namespaces: [''] } }",
    after: exampleOperator({
      modes: ['OwnNamespace', 'AllNamespaces'],
      more: 'webhookdefinitions: [{ type: ConversionWebhook, generateName: cats.example.com, conversionCRDs: [cats.example.com] }]',
    }),
    says: 'CSVs with conversion webhooks must support only AllNamespaces',
    accepted: exampleOperator({
      modes: ['AllNamespaces'],
      more: 'webhookdefinitions: [{ type: ConversionWebhook, generateName: cats.example.com, conversionCRDs: [cats.example.com] }]',
    }),
  },
  *judge(context) {
    const csv = reviewedCsv(context);
    if (csv === null) return;
    for (const [index, webhook] of webhooksOf(csv).entries()) {
      if (textAt(webhook, 'type') !== 'ConversionWebhook') continue;
      yield* conversionProblems(csv, webhook, `$.spec.webhookdefinitions[${index}]`, context);
    }
  },
});

function* conversionProblems(
  csv: Csv,
  webhook: JsonObject,
  path: string,
  { view }: RuleContext,
): Iterable<Problem> {
  if (!supportsOnlyAllNamespaces(csv)) {
    yield {
      message:
        'unable to manage conversion webhook: CSVs with conversion webhooks must support only AllNamespaces',
      path: '$.spec.installModes',
    };
  }
  const crds = textsAt(webhook, 'conversionCRDs');
  if (crds.length === 0) {
    yield {
      message:
        'unable to manager conversion webhook: conversion webhook must have at least one CRD specified',
      path,
    };
  }
  for (const name of crds) {
    if (!ownedNames(csv).has(name)) {
      yield {
        message: `csv ${csv.name} does not own CRD ${name}`,
        path: `${path}.conversionCRDs`,
        cause: name,
      };
    }
    const crd = view.lookUp('CustomResourceDefinition', name);
    if (crd !== undefined && crd !== null && flagAt(crd, 'spec', 'preserveUnknownFields')) {
      yield {
        message: `crd.Spec.PreserveUnknownFields must be false to let API Server call webhook to do the conversion (${name})`,
        severity: 'warning',
        path: `${path}.conversionCRDs`,
        cause: `${name} preserveUnknownFields`,
      };
    }
  }
}

// There may be thousands of webhooks, and of what each is compared with.
const ownedNames = oncePer(({ ownedCrds }: Csv) => new Set(ownedCrds.map(({ name }) => name)));
const supportsOnlyAllNamespaces = oncePer(({ installModes }: Csv) =>
  installModes.every(({ type, supported }) => supported === (type === 'AllNamespaces')),
);
