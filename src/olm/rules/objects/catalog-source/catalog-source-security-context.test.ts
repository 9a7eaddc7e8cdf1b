import { aNamespace, describeRule } from '../testing/harness.js';
import { catalogSourceSecurityContext } from './catalog-source-rules.js';
import { makeCatalog, image } from './testing/catalog-source.js';

const mode = (securityContextConfig: string) =>
  makeCatalog({ ...image, grpcPodConfig: { securityContextConfig } });

const restricted = aNamespace('ns', { 'pod-security.kubernetes.io/enforce': 'restricted' });

describeRule(catalogSourceSecurityContext, [
  { when: 'restricted', object: mode('restricted'), cluster: [restricted], says: [] },
  {
    when: 'legacy in an open namespace',
    object: mode('legacy'),
    cluster: [aNamespace('ns')],
    says: [],
  },
  {
    when: 'legacy in a restricted namespace',
    object: mode('legacy'),
    cluster: [restricted],
    says: [{ id: 'legacy', data: { namespace: 'ns' } }],
  },
  {
    when: 'unset in a restricted namespace',
    object: makeCatalog(image),
    cluster: [restricted],
    says: [{ id: 'unset', data: { namespace: 'ns' } }],
  },
  {
    when: 'unset in an open namespace',
    object: makeCatalog(image),
    cluster: [aNamespace('ns')],
    says: [],
  },
  {
    when: 'something else',
    object: mode('open'),
    says: [{ id: 'unknownMode', data: { mode: 'open' } }],
  },
  { when: 'namespaces not in view', object: mode('legacy'), unknown: ['Namespace'], says: [] },
]);
