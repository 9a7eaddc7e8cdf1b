import type { Fault, Clause } from './fault.js';
import { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { droppedFields } from '../../crd/narrower.js';
import type { Effect, Finding, Rule } from '../../../rule/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { firstNames } from '../../../text/shortened.js';
import {
  conversionContract,
  conversionPrunesFields,
  conversionUnchecked,
  conversionUnstable,
  convertedObjectRefused,
  converterFails,
  converterUnreachable,
  roundTripLoss,
} from './rules.js';

interface Wording {
  readonly rule: Rule;
  readonly id: string;
  readonly effect?: Effect;
  readonly isWarning?: true;
}

type Described = Omit<Wording, 'isWarning'>;
const effect = 'breaking';
const away = (id: string): Described => ({ rule: converterUnreachable, id, effect });
const fails = (id: string): Described => ({ rule: converterFails, id, effect });
const contract = (id: string): Described => ({ rule: conversionContract, id, effect });
const unstable = (id: string): Described => ({ rule: conversionUnstable, id, effect });
const loss = (id: string): Described => ({ rule: roundTripLoss, id, effect: 'data-loss' });

const wordings: Readonly<Record<Clause, Wording>> = {
  unreachable: away('unreachable'),
  certificate: away('certificate'),
  status: fails('status'),
  late: fails('late'),
  slow: { ...fails('slow'), isWarning: true },
  'too-large': fails('tooLarge'),
  unreadable: fails('unreadable'),
  intermittent: fails('intermittent'),
  refused: fails('refused'),
  'wrong-uid': contract('wrongUid'),
  'wrong-count': contract('wrongCount'),
  'wrong-order': contract('wrongOrder'),
  'not-an-object': contract('notAnObject'),
  'wrong-version': contract('wrongVersion'),
  'wrong-kind': contract('wrongKind'),
  'changed-identity': contract('changedIdentity'),
  'changed-metadata': { ...contract('changedMetadata'), isWarning: true },
  'refused-by-schema': { rule: convertedObjectRefused, id: 'refusedBySchema', effect },
  lost: loss('lost'),
  changed: loss('changed'),
  added: loss('added'),
  emptied: { ...loss('emptied'), effect: 'behavior', isWarning: true },
  unstable: unstable('unstable'),
  batch: unstable('batch'),
  'own-version': { ...unstable('ownVersion'), isWarning: true },
  unasked: { rule: conversionUnchecked, id: 'unasked', isWarning: true },
};

/** @param isDisclosed shows what the converter said and the objects; else only which clause is broken */
export function conversionFindings(
  faults: readonly Fault[],
  { isDisclosed = true }: { readonly isDisclosed?: boolean } = {},
): Finding[] {
  return faults.map((fault) => {
    const { rule, id, effect, isWarning } = wordings[fault.clause];
    const { detail, object, from, to, path, count } = fault;
    const quoted = isDisclosed || fault.clause === 'unasked' ? detail : undefined;
    const often = count > 1 ? ` (${count} times)` : '';
    const said = `${quoted === undefined ? '' : `: ${quoted}`}${often}`;
    return rule.finding({
      id,
      data: { from, to, field: path ?? 'a field', detail: said },
      effect,
      ...(isWarning === undefined ? {} : { severity: 'warning' }),
      ...(from === '' ? {} : { version: `${from} -> ${to}` }),
      path,
      ...(isDisclosed && object !== undefined ? { witness: shown(object, path) } : {}),
    });
  });
}

/** An object without metadata except its name, unless the finding is about the metadata. */
function shown(object: JsonObject, path = ''): JsonObject {
  const metadata = own(object, 'metadata');
  if (path.startsWith('^.metadata') || !isObject(metadata)) return object;
  const names = Object.entries(metadata).filter(([key]) => key === 'name' || key === 'namespace');
  return { ...object, metadata: Object.fromEntries(names) };
}

/** Fields that are named; more of them are counted. */
const maxNamed = 20;

/** Findings that a change adds, and no others. @throws InvalidInputError for a document that is no definition */
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
      const old = new Set(
        was?.served === true && is?.served === true ? droppedFields(was.schema, is.schema) : [],
      );
      const fresh = fields.filter((field) => !old.has(field));
      const [path] = fresh;
      if (path === undefined) continue;
      const id = before?.convertsByWebhook === true ? 'webhookGone' : 'prunes';
      const data = { from: from.name, to: to.name, fields: firstNames(fresh, maxNamed) };
      const version = `${from.name} -> ${to.name}`;
      findings.push(
        conversionPrunesFields.finding({ id, data, effect: 'data-loss', version, path }),
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
