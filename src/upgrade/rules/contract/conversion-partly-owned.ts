import { from } from '../../../rule/index.js';
import { metaOf, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { textAt } from '../../../text/documents/fields.js';
import { valueIn } from './requests.js';
import { defineContractRule } from './rule.js';

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
