/** What was seen of a conversion, in the words of the rules. */
import type { Fault, Clause } from '../../conversion/index.js';
import { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { droppedFields } from '../../crd/narrower.js';
import type { Effect, Finding, Rule } from '../../../rule/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { conversionContract } from './conversion-contract.js';
import { conversionPrunesFields } from './conversion-prunes-fields.js';
import { conversionUnchecked } from './conversion-unchecked.js';
import { conversionUnstable } from './conversion-unstable.js';
import { convertedObjectRefused } from './converted-object-refused.js';
import { converterFails } from './converter-fails.js';
import { converterUnreachable } from './converter-unreachable.js';
import { roundTripLoss } from './round-trip-loss.js';

interface Wording {
  readonly rule: Rule;
  readonly effect?: Effect;
  readonly isWarning?: true;
  readonly says: (fault: Fault) => string;
}

const trip = ({ from, to }: Fault): string => `from ${from} to ${to} and back`;
const step = ({ from, to }: Fault): string => `from ${from} to ${to}`;
const at = ({ path }: Fault): string => path ?? 'a field';

const fails = (says: Wording['says']): Wording => ({
  rule: converterFails,
  effect: 'breaking',
  says,
});
const contract = (says: Wording['says']): Wording => ({
  rule: conversionContract,
  effect: 'breaking',
  says,
});
const away = (says: Wording['says']): Wording => ({
  rule: converterUnreachable,
  effect: 'breaking',
  says,
});
const loss = (says: Wording['says']): Wording => ({
  rule: roundTripLoss,
  effect: 'data-loss',
  says,
});
const unstable = (says: Wording['says']): Wording => ({
  rule: conversionUnstable,
  effect: 'breaking',
  says,
});

const wordings: Readonly<Record<Clause, Wording>> = {
  unreachable: away(() => 'the converter cannot be reached'),
  certificate: away(() => 'the certificate of the converter is not accepted'),
  status: fails(
    (fault) => `the converter answers with an HTTP status that is no success ${step(fault)}`,
  ),
  late: fails((fault) => `the converter does not answer in time ${step(fault)}`),
  slow: {
    ...fails((fault) => `the converter is slow ${step(fault)}: every read of a list waits for it`),
    isWarning: true,
  },
  'too-large': fails((fault) => `the converter answers with more than can be read ${step(fault)}`),
  unreadable: fails((fault) => `the converter answers with no ConversionReview ${step(fault)}`),
  intermittent: fails((fault) => `the converter fails now and then ${step(fault)}`),
  refused: fails((fault) => `the converter refuses to convert ${step(fault)}`),
  'wrong-uid': contract(() => 'the converter answers with another uid than the request has'),
  'wrong-count': contract((fault) => `another number of objects comes back ${step(fault)}`),
  'wrong-order': contract((fault) => `objects come back in another order ${step(fault)}`),
  'not-an-object': contract((fault) => `what comes back is no object ${step(fault)}`),
  'wrong-version': contract((fault) => `objects come back in another version than ${fault.to}`),
  'wrong-kind': contract((fault) => `objects come back as another kind ${step(fault)}`),
  'changed-identity': contract((fault) => `${at(fault)} is changed ${step(fault)}`),
  'changed-metadata': {
    ...contract((fault) => `${at(fault)} is changed ${step(fault)}, which API servers undo`),
    isWarning: true,
  },
  'refused-by-schema': {
    rule: convertedObjectRefused,
    effect: 'breaking',
    says: (fault) =>
      `the schema of ${fault.to} refuses what is converted from ${fault.from}, at ${at(fault)}`,
  },
  lost: loss((fault) => `${at(fault)} is lost ${trip(fault)}`),
  changed: loss((fault) => `${at(fault)} is changed ${trip(fault)}`),
  added: loss((fault) => `${at(fault)} is added ${trip(fault)}`),
  emptied: {
    ...loss((fault) => `an empty ${at(fault)} comes or goes ${trip(fault)}`),
    effect: 'behavior',
    isWarning: true,
  },
  unstable: unstable(
    (fault) => `${at(fault)} is converted otherwise the second time ${step(fault)}`,
  ),
  batch: unstable(
    (fault) => `${at(fault)} is converted otherwise beside other objects than alone ${step(fault)}`,
  ),
  'own-version': {
    ...unstable(
      (fault) =>
        `${at(fault)} is changed by a conversion to ${fault.to}, which the object has already`,
    ),
    isWarning: true,
  },
  unasked: {
    rule: conversionUnchecked,
    isWarning: true,
    says: () => 'the converter was not asked',
  },
};

/**
 * @param isTold whether what the converter said and the objects may be told; only which clause is
 *   broken otherwise
 */
export function conversionFindings(
  faults: readonly Fault[],
  { isTold = true }: { readonly isTold?: boolean } = {},
): Finding[] {
  return faults.map((fault) => {
    const { rule, effect, isWarning, says } = wordings[fault.clause];
    const { detail, object, from, to, path, count } = fault;
    const quoted = isTold || fault.clause === 'unasked' ? detail : undefined;
    const often = count > 1 ? ` (${count} times)` : '';
    return rule.finding({
      message: `${says(fault)}${quoted === undefined ? '' : `: ${quoted}`}${often}`,
      ...(effect === undefined ? {} : { effect }),
      ...(isWarning === undefined ? {} : { severity: 'warning' }),
      ...(from === '' ? {} : { version: `${from} -> ${to}` }),
      ...(path === undefined ? {} : { path }),
      ...(isTold && object !== undefined ? { witness: shown(object, path) } : {}),
    });
  });
}

/** Of the metadata only what names it, unless the finding is about that. */
function shown(object: JsonObject, path = ''): JsonObject {
  const metadata = own(object, 'metadata');
  if (path.startsWith('^.metadata') || !isObject(metadata)) return object;
  const names = Object.entries(metadata).filter(([key]) => key === 'name' || key === 'namespace');
  return { ...object, metadata: Object.fromEntries(names) };
}

/** Fields that are named; more of them are counted. */
const maxNamed = 20;

/**
 * What conversion None prunes between served versions. Only what a change brings: pairs of versions
 * whose fields differed before as they do now were found then.
 *
 * @throws InvalidInputError for what is no definition
 */
export function prunedFindings(old: JsonObject | undefined, next: JsonObject): Finding[] {
  const definition = readCustomResourceDefinition(next);
  if (definition.convertsByWebhook) return [];
  const before = old === undefined ? undefined : readCustomResourceDefinition(old);
  const known = before === undefined || before.convertsByWebhook ? undefined : before;
  const served = definition.versions.filter((version) => version.served);
  const findings: Finding[] = [];
  for (const from of served) {
    for (const to of served) {
      if (from === to) continue;
      const fields = droppedFields(from.schema, to.schema);
      const [was, is] = [known?.version(from.name), known?.version(to.name)];
      const old =
        was?.served === true && is?.served === true ? droppedFields(was.schema, is.schema) : [];
      const fresh = fields.filter((field) => !old.includes(field));
      const [path] = fresh;
      if (path === undefined) continue;
      const more = fresh.length > maxNamed ? ` and ${fresh.length - maxNamed} more` : '';
      const isGivenUp = before?.convertsByWebhook === true;
      const message = `${isGivenUp ? 'no webhook converts any more, and ' : ''}${to.name} does not have ${fresh.slice(0, maxNamed).join(', ')}${more} of ${from.name}: an update in ${to.name} deletes it`;
      const version = `${from.name} -> ${to.name}`;
      findings.push(
        conversionPrunesFields.finding({ message, effect: 'data-loss', version, path }),
      );
    }
  }
  return findings;
}

/** `spec.conversion.webhook.clientConfig`; undefined where no webhook converts. */
export function conversionClient(definition: JsonObject): JsonObject | undefined {
  const at = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
    isObject(value) ? own(value, key) : undefined;
  const conversion = at(own(definition, 'spec'), 'conversion');
  if (at(conversion, 'strategy') !== 'Webhook') return undefined;
  const client = at(at(conversion, 'webhook'), 'clientConfig');
  return isObject(client) ? client : {};
}
