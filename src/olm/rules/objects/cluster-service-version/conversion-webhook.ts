import type { Csv } from '../../../objects/cluster-service-version.js';
import { flagAt, textAt, textsAt, objectsAt } from '../../../../text/documents/fields.js';
import type { JsonObject } from '../../../../text/documents/index.js';
import { from } from '../../../../rule/index.js';
import { defineOlmRule, type Problem } from '../rule.js';
import type { OlmView } from '../../../objects/view.js';
import { reviewedCsv } from './csv-review.js';
import { exampleOperator } from '../example-operator.js';

export const conversionWebhook = defineOlmRule({
  id: 'ConversionWebhook',
  subject: 'ClusterServiceVersion',
  family: 'operator-groups',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'A ClusterServiceVersion with a conversion webhook supports AllNamespaces and nothing else, and owns the CustomResourceDefinitions that it converts.',
  why: 'A conversion webhook serves the whole cluster, so OLM manages it only for such operators, and only for definitions that do not preserve unknown fields.',
  otherwise:
    'unable to manage conversion webhook: CSVs with conversion webhooks must support only AllNamespaces',
  instead:
    'Support AllNamespaces as the only install mode, and name in conversionCRDs only definitions that the operator owns.',
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
    const csv = context.fact(reviewedCsv);
    if (csv === null) return;
    // There may be thousands of webhooks, and of what each is compared with.
    const compared = {
      csv,
      view: context.view,
      ownedNames: new Set(csv.ownedCrds.map(({ name }) => name)),
      supportsOnlyAllNamespaces: csv.installModes.every(
        ({ type, supported }) => supported === (type === 'AllNamespaces'),
      ),
    };
    for (const [index, webhook] of webhooksOf(csv).entries()) {
      if (textAt(webhook, 'type') !== 'ConversionWebhook') continue;
      yield* conversionProblems(webhook, `$.spec.webhookdefinitions[${index}]`, compared);
    }
  },
});

interface Compared {
  readonly csv: Csv;
  readonly view: OlmView;
  readonly ownedNames: ReadonlySet<string>;
  readonly supportsOnlyAllNamespaces: boolean;
}

function* conversionProblems(
  webhook: JsonObject,
  path: string,
  { csv, view, ownedNames, supportsOnlyAllNamespaces }: Compared,
): Iterable<Problem> {
  if (!supportsOnlyAllNamespaces) {
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
    if (!ownedNames.has(name)) {
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

export function webhooksOf(csv: Csv): JsonObject[] {
  return objectsAt(csv.object, 'spec', 'webhookdefinitions');
}
