import { describeRule } from '../testing/harness.js';
import { catalogSourceSpecInvalid } from './catalog-source-rules.js';
import { makeCatalog, follows, image } from './testing/catalog-source.js';

describeRule(catalogSourceSpecInvalid, [
  { when: 'an image', object: makeCatalog(image), says: [] },
  { when: 'an address', object: makeCatalog({ address: 'c.ns:50051' }), says: [] },
  {
    when: 'neither',
    object: makeCatalog({}),
    says: ['error: image and address unset: at least one must be set for sourcetype: grpc'],
  },
  { when: 'a template that fills in the image', object: makeCatalog({}, follows), says: [] },
  {
    when: 'a template, version unknown',
    object: makeCatalog({}, follows),
    kubernetesVersion: null,
    says: [],
  },
  {
    when: 'a template that does not resolve',
    object: makeCatalog({}, 'example.com/c:{foo}'),
    says: ['error: image and address unset'],
  },
  {
    when: 'a ConfigMap',
    object: makeCatalog({ sourceType: 'configmap', configMap: 'm' }),
    says: [],
  },
  {
    when: 'no ConfigMap',
    object: makeCatalog({ sourceType: 'internal' }),
    says: ['error: configmap name unset: must be set for sourcetype: internal'],
  },
  {
    when: 'an unknown type',
    object: makeCatalog({ sourceType: 'ftp' }),
    says: ['error: unknown sourcetype: ftp'],
  },
]);
