import { from } from '../../../rule/index.js';
import {
  sameJson,
  type JsonValue,
  metaOf,
  type JsonObject,
} from '../../../text/documents/index.js';
import { objectPath, valueIn } from './requests.js';
import { defineContractRule } from './rule.js';
import { textAt } from '../../../text/documents/fields.js';

export const conversionChanged = defineContractRule({
  id: 'ConversionChanged',
  audience: 'clients',
  fields: ['spec.conversion'],
  checks:
    'How objects are converted between versions changes: the strategy, the webhook, or the review versions.',
  why: 'Every read and write in another version than the stored one goes through the conversion. A webhook that does not answer makes all of them fail; without the webhook fields that versions name differently are dropped.',
  otherwise:
    'conversion webhook for example.com/v1, Kind=Widget failed: Post "https://…": connection refused',
  instead:
    'Have the new webhook up before the definition names it, and keep the old one until every object is stored in one version.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    default: 'conversion strategy None is the default',
    rewritten: 'the conversion is written otherwise',
    caBundle: 'the caBundle of the conversion webhook changes',
    webhookAdded:
      'a webhook converts from now on: while it does not answer, requests in other versions than the stored one fail',
    webhookRemoved:
      'no webhook converts any more: fields that versions name differently are dropped',
    webhookChanged:
      'another webhook converts, or is asked otherwise: while it does not answer, requests in other versions than the stored one fail',
  },
  example: {
    before: `
      spec:
        conversion: { strategy: None }
        versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }]`,
    after: `
      spec:
        conversion: { strategy: Webhook, webhook: { conversionReviewVersions: [v1], clientConfig: { service: { namespace: widgets, name: webhook } } } }
        versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }]`,
    says: 'a webhook converts from now on',
  },
  *compare({ old, next }) {
    const [before, after] = [old, next].map(({ document }) =>
      valueIn(document, 'spec', 'conversion'),
    );
    if (before === undefined && after === undefined) return;
    const [was, is] = [old.convertsByWebhook, next.convertsByWebhook];
    if (!was && !is) {
      if (sameJson(before ?? null, after ?? null)) return;
      const isStrategy =
        valueIn(old.document, 'spec', 'conversion', 'strategy') !==
        valueIn(next.document, 'spec', 'conversion', 'strategy');
      yield {
        id: isStrategy ? 'default' : 'rewritten',
        place: { side: 'new', keys: ['spec', 'conversion'] },
        isHarmless: true,
      };
      return;
    }
    if (sameJson(before ?? null, after ?? null)) return;
    if (sameJson(withoutBundle(before), withoutBundle(after))) {
      yield {
        id: 'caBundle',
        place: { side: 'new', keys: ['spec', 'conversion'] },
        isHarmless: true,
      };
      return;
    }
    const stored = next.storage?.name;
    const other = old.versions.find(
      ({ name, served }) => served && name !== stored && next.version(name)?.served === true,
    );
    yield {
      id: !was ? 'webhookAdded' : !is ? 'webhookRemoved' : 'webhookChanged',
      place: { side: 'new', keys: ['spec', 'conversion'] },
      ...(other === undefined
        ? { isHarmless: true }
        : {
            request: {
              verb: 'GET',
              path: objectPath(old, other.name),
              before: { status: 200 },
              after: is
                ? { status: 500, reason: 'while the webhook does not answer' }
                : { status: 200, reason: 'only the apiVersion is converted' },
            },
          }),
    };
  },
});

/** Certificates are filled in on the cluster: manifests have none, or an old one. */
function withoutBundle(conversion: JsonValue | undefined): JsonValue {
  return JSON.parse(
    JSON.stringify(conversion ?? null, (key, value: unknown) =>
      key === 'caBundle' ? undefined : value,
    ),
  ) as JsonValue;
}

export const conversionPartlyOwned = defineContractRule({
  id: 'ConversionPartlyOwned',
  audience: 'apply',
  fields: ['spec.conversion', 'metadata.managedFields'],
  checks:
    'The conversion webhook is left out, and another field manager owns a part of it: mostly cainjector, its caBundle.',
  why: 'Server-side apply takes away only what the applier owns. The rest of the webhook stays without its strategy, and the API server refuses the result.',
  otherwise:
    'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
  instead:
    'Take the webhook away with an ordinary write before you apply, or write the definition with kubectl replace. conversion: { strategy: None } does not help.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    kept: `server-side apply is refused: "{manager}" owns a part of spec.conversion.webhook, which stays; before it, run kubectl patch crd {name} --type=merge -p '{patch}'`,
  },
  example: {
    before: `
      metadata:
        name: widgets.example.com
        managedFields:
          - { manager: kubectl, operation: Apply, fieldsV1: { f:spec: { f:group: {}, f:conversion: { f:strategy: {} } } } }
          - { manager: cainjector, operation: Update, fieldsV1: { f:spec: { f:conversion: { f:webhook: { f:clientConfig: { f:caBundle: {} } } } } } }
      spec: { conversion: { strategy: Webhook, webhook: { clientConfig: { caBundle: aGk= } } } }`,
    after: 'metadata: { name: widgets.example.com }\nspec: {}',
    says: 'server-side apply is refused: "cainjector" owns a part of spec.conversion.webhook',
  },
  *compare({ old, next }) {
    // The merged object that an admission webhook is shown has them.
    if (metaOf(next.document).managedFields.length > 0) return;
    const managers = metaOf(old.document).managedFields;
    const others = managers.filter((each) => !isApplier(each));
    const holder = others.find(
      (each) => owned(each, 'conversion', 'webhook', 'clientConfig') !== undefined,
    );
    if (holder === undefined || others.length === managers.length) return;
    const isKept = others.some((each) => owned(each, 'conversion', 'strategy') !== undefined);
    const [before, after] = [old, next].map(({ document }) =>
      textAt(document, 'spec', 'conversion', 'strategy'),
    );
    if ((after ?? (isKept ? before : undefined)) === 'Webhook') return;
    const data = {
      ...{ manager: textAt(holder, 'manager') ?? '', name: next.name },
      patch: '{"spec":{"conversion":{"strategy":"None","webhook":null}}}',
    };
    yield { id: 'kept', data, place: { side: 'new', keys: ['spec', 'conversion'] } };
  },
});

/** Whether a manager is the one that applies the definition as a whole. */
function isApplier(entry: JsonObject): boolean {
  return textAt(entry, 'operation') === 'Apply' && owned(entry, 'group') !== undefined;
}

function owned(entry: JsonObject, ...fields: readonly string[]): JsonValue | undefined {
  return valueIn(entry, 'fieldsV1', 'f:spec', ...fields.map((field) => `f:${field}`));
}
