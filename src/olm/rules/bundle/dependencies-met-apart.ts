import { isObject, own, type JsonValue } from '../../../text/documents/index.js';
import { defineRule, from } from '../../../rule/index.js';
import type { Bundle, MetadataEntry } from './bundle.js';
import type { Finding } from '../../../rule/index.js';
import { placeIn } from './finding.js';

export const dependenciesMetApart = defineRule({
  id: 'DependenciesMetApart',
  family: 'resolution',
  subject: 'bundle',
  severity: 'info',
  checks: 'whether a bundle depends on a package and on an API, which two operators may then meet.',
  why: 'Dependencies have no AND between them: each may be met by an operator of its own. Where one operator is meant to have that version and to provide that API, OLM may install another that provides the API beside it.',
  instead:
    'Where one operator must meet both, write one olm.constraint with all; otherwise nothing needs to be done.',
  source: from.openShift('Operator Lifecycle Manager dependency resolution'),
  messages: {
    apart:
      'the {packages} and the {apis} may come from two operators: there is no AND between dependencies',
  },
  example: {
    after: `
      dependencies:
        - type: olm.package
          value: { packageName: etcd, version: ">3.1.0" }
        - type: olm.gvk
          value: { group: etcd.database.coreos.com, version: v1beta2, kind: EtcdCluster }
    `,
    says: 'the package etcd and the API EtcdCluster may come from two operators',
    accepted: `
      dependencies:
        - type: olm.package
          value: { packageName: etcd, version: ">3.1.0" }
    `,
  },
});

export function* checkDependenciesApart(bundle: Bundle): Generator<Finding> {
  const entries = [...bundle.properties, ...bundle.dependencies];
  const packages = entries.flatMap((entry) => nameIn(entry, bundle, packageTypes, 'packageName'));
  const apis = entries.flatMap((entry) => nameIn(entry, bundle, apiTypes, 'kind'));
  const [first] = apis;
  if (first === undefined || packages.length === 0) return;
  const named = (what: string, found: readonly { readonly name: string }[]): string =>
    `${what}${found.length === 1 ? '' : 's'} ${[...new Set(found.map(({ name }) => name))].join(', ')}`;
  const data = { packages: named('package', packages), apis: named('API', apis) };
  yield placeIn(dependenciesMetApart.finding({ id: 'apart', data }), first.entry);
}

/** As a property, as an entry of dependencies.yaml, and as a constraint by itself. */
const packageTypes = {
  property: 'olm.package.required',
  dependency: 'olm.package',
  constraint: 'package',
};
const apiTypes = { property: 'olm.gvk.required', dependency: 'olm.gvk', constraint: 'gvk' };

function nameIn(
  entry: MetadataEntry,
  { dependencies }: Bundle,
  types: typeof packageTypes,
  key: string,
): { readonly entry: MetadataEntry; readonly name: string }[] {
  const { value } = entry;
  if (!isObject(value)) return [];
  const type = own(value, 'type');
  const isDependency = dependencies.includes(entry);
  const written: JsonValue | undefined = own(value, 'value');
  const isConstraint = type === 'olm.constraint';
  const isMeant =
    isConstraint || type === types.property || (isDependency && type === types.dependency);
  const given = isConstraint && isObject(written) ? own(written, types.constraint) : written;
  const name = isObject(given) ? own(given, key) : undefined;
  return isMeant && typeof name === 'string' ? [{ entry, name }] : [];
}
