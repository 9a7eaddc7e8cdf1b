import type { JsonObject } from '../../text/documents/index.js';
import { flagAt, objectsAt, textAt, textsAt } from '../../olm/fields.js';
import type { Csv } from '../../olm/cluster-service-version.js';
import { defineRule, type Problem, type RuleContext } from './rule.js';
import { reviewedCsv } from './csv-review.js';
import { from, sources } from '../source.js';

export const invalidWebhookDescription = defineRule({
  name: 'InvalidWebhookDescription',
  kind: 'ClusterServiceVersion',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'operator-groups',
  prevents: 'webhook rules cannot include …; CSV contains repeated WebhookDescription name',
  source: sources(
    from.olm('pkg/controller/install/webhook.go', 'ValidWebhookRules'),
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
  ),
  explain:
    "An operator's webhook must not intercept every group, OLM's own objects or webhook configurations, and each description needs a name of its own. OLM fails the ClusterServiceVersion otherwise.",
  *check(context) {
    const csv = reviewedCsv(context);
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

export const conversionWebhook = defineRule({
  name: 'ConversionWebhook',
  kind: 'ClusterServiceVersion',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'operator-groups',
  prevents:
    'unable to manage conversion webhook: CSVs with conversion webhooks must support only AllNamespaces',
  source: from.olm('pkg/controller/install/webhook.go', 'createOrUpdateConversionWebhook'),
  explain:
    'A conversion webhook serves the whole cluster, so OLM manages it only for operators that support AllNamespaces and nothing else, and only for CustomResourceDefinitions that the operator owns and that do not preserve unknown fields.',
  *check(context) {
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
    if (!csv.ownedCrds.some((crd) => crd.name === name)) {
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

function supportsOnlyAllNamespaces({ installModes }: Csv): boolean {
  return installModes.every(({ type, supported }) => supported === (type === 'AllNamespaces'));
}

function webhooksOf(csv: Csv): JsonObject[] {
  return objectsAt(csv.object, 'spec', 'webhookdefinitions');
}
