import { flagAt, objectsAt, textAt, textsAt } from '../../../../text/documents/fields.js';
import type { JsonObject } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { type Problem, defineCsvRule } from '../rule.js';
import { reviewedCsv } from './csv-review.js';
import { exampleOperator, exampleGroup, settledGroup } from '../examples.js';
import type { Csv } from '../../../objects/classic-objects.js';
import type { OlmView } from '../../../objects/view.js';

export const invalidWebhookDescription = defineCsvRule({
  id: 'InvalidWebhookDescription',
  severity: 'error',
  checks:
    'The webhooks of a ClusterServiceVersion have names of their own and do not intercept every group, OLM’s objects or webhook configurations.',
  why: 'OLM fails the ClusterServiceVersion otherwise.',
  otherwise: 'webhook rules cannot include …; CSV contains repeated WebhookDescription name',
  instead:
    'Name the groups and resources that the webhook is about, and give each description its own generateName.',
  source: sources(
    from.olm('pkg/controller/install/webhook.go', 'ValidWebhookRules'),
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
  ),
  example: {
    before: settledGroup(),
    after: exampleOperator({
      more: "webhookdefinitions: [{ generateName: cats.example.com, rules: [{ apiGroups: ['*'], resources: [cats] }] }]",
    }),
    says: 'webhook rules cannot include all groups',
    accepted: exampleOperator({
      more: 'webhookdefinitions: [{ generateName: cats.example.com, rules: [{ apiGroups: [example.com], resources: [cats] }] }]',
    }),
  },
  *judge(context) {
    const csv = context.fact(reviewedCsv);
    if (csv === null) return;
    const names = new Set<string>();
    for (const [index, webhook] of webhooksOf(csv).entries()) {
      const path = `$.spec.webhookdefinitions[${index}]`;
      const name = textAt(webhook, 'generateName') ?? '';
      if (names.has(name)) {
        yield {
          message: `CSV contains repeated WebhookDescription name: ${name}`,
          path,
          cause: name,
        };
      }
      names.add(name);
      for (const rule of objectsAt(webhook, 'rules')) {
        const message = forbidden(rule);
        if (message === null) continue;
        yield {
          message: `${message} (${name})`,
          path: `${path}.rules`,
          cause: `${name} ${message}`,
        };
      }
    }
  },
});

const configurations = ['*', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

function forbidden(rule: JsonObject): string | null {
  const groups = textsAt(rule, 'apiGroups');
  if (groups.includes('*')) return 'webhook rules cannot include all groups';
  if (groups.includes('operators.coreos.com')) return 'webhook rules cannot include the OLM group';
  const guards = textsAt(rule, 'resources').some((resource) => configurations.includes(resource));
  if (groups.includes('admissionregistration.k8s.io') && guards) {
    return 'webhook rules cannot include MutatingWebhookConfiguration or ValidatingWebhookConfiguration resources';
  }
  return null;
}

export const conversionWebhook = defineCsvRule({
  id: 'ConversionWebhook',
  severity: 'error',
  checks:
    'A ClusterServiceVersion with a conversion webhook supports AllNamespaces and nothing else, and owns the CustomResourceDefinitions that it converts.',
  why: 'A conversion webhook serves the whole cluster, so OLM manages it only for such operators, and only for definitions that do not preserve unknown fields.',
  otherwise:
    'unable to manage conversion webhook: CSVs with conversion webhooks must support only AllNamespaces',
  instead:
    'Support AllNamespaces as the only install mode, and name in conversionCRDs only definitions that the operator owns.',
  source: from.olm('pkg/controller/install/webhook.go', 'createOrUpdateConversionWebhook'),
  example: {
    before: exampleGroup('', { status: "''" }),
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
