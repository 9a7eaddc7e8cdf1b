import type { JsonObject } from '../../../../text/documents/index.js';
import { makeCrd, aCsv, describeRule } from '../testing/harness.js';
import { conversionWebhook } from './webhooks.js';
import { hook, withWebhooks } from './testing/objects.js';

const converts = (...conversionCRDs: string[]) => ({
  generateName: 'c',
  type: 'ConversionWebhook',
  conversionCRDs,
});

const global = (webhook: JsonObject) =>
  aCsv({ modes: ['AllNamespaces'], spec: { webhookdefinitions: [webhook] } });

describeRule(conversionWebhook, [
  {
    when: 'fine',
    object: global(converts('cats.pets')),
    cluster: [makeCrd('cats.pets')],
    says: [],
  },
  { when: 'other webhooks', object: withWebhooks(hook('a', ['pets'])), says: [] },
  {
    when: 'other install modes',
    object: aCsv({ spec: { webhookdefinitions: [converts('cats.pets')] } }),
    says: [
      'error: unable to manage conversion webhook: CSVs with conversion webhooks must support only AllNamespaces',
    ],
  },
  {
    when: 'no definition',
    object: global(converts()),
    says: [
      'error: unable to manager conversion webhook: conversion webhook must have at least one CRD specified',
    ],
  },
  {
    when: 'a definition it does not own',
    object: global(converts('dogs.pets')),
    says: ['error: csv cats.v1 does not own CRD dogs.pets'],
  },
  {
    when: 'a definition that preserves unknown fields',
    object: global(converts('cats.pets')),
    cluster: [makeCrd('cats.pets', ['v1'], { preserveUnknownFields: true })],
    says: ['warning: crd.Spec.PreserveUnknownFields must be false'],
  },
]);
