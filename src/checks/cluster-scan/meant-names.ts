/** Suggests the meant name of a missing object; at the gate a requester may not know other names. */
import type { Finding } from '../../rule/index.js';
import {
  catalogSourceMissing,
  readOperatorGroup,
  readSubscription,
  targetNamespaceMissing,
} from '../../olm/index.js';
import type { OlmState } from '../../cluster/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import { didYouMean } from '../../text/nearest.js';

type Known = Pick<OlmState, 'objects'>;

/** Adds the similar name to a finding about a missing one, if there is one. */
export function withMeantName(finding: Finding, object: JsonObject, state: Known): Finding {
  const hint = hintFor(finding, object, state);
  return hint === '' ? finding : { ...finding, message: `${finding.message}${hint}` };
}

function hintFor({ rule }: Finding, object: JsonObject, state: Known): string {
  if (rule === targetNamespaceMissing.id) {
    const targets = new Set(readOperatorGroup(object).targetNamespaces);
    return [...targets]
      .map((name) => ({ name, meant: meantNamespace(name, state) }))
      .filter(({ meant }) => meant !== '')
      .map(({ name, meant }) => (targets.size === 1 ? meant : `; "${name}"${meant}`))
      .join('');
  }
  if (rule !== catalogSourceMissing.id) return '';
  const { catalog, catalogNamespace } = readSubscription(object);
  const known = [...state.objects('CatalogSource')].map((each) => metaOf(each));
  const place = `${catalogNamespace}/${catalog}`;
  const keys = known.map(({ key }) => key);
  if (keys.includes(place)) return '';
  const elsewhere = known.find(({ name }) => name === catalog)?.key;
  return elsewhere === undefined ? didYouMean(place, keys) : ` (did you mean "${elsewhere}"?)`;
}

/** ` (did you mean "billing"?)` for a missing namespace with a name similar to an existing one. */
export function meantNamespace(name: string, state: Known): string {
  const names = [...state.objects('Namespace')].map((each) => metaOf(each).name);
  return name === '' || names.includes(name) ? '' : didYouMean(name, names);
}
