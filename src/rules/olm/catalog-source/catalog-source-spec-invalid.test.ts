import { describeRule } from '../testing/harness.js';
import { catalogSourceSpecInvalid } from './catalog-source-spec-invalid.js';
import { aCatalog, follows, image } from './testing/catalog-source.js';

describeRule(catalogSourceSpecInvalid, [
  { when: 'an image', object: aCatalog(image), says: [] },
  { when: 'an address', object: aCatalog({ address: 'c.ns:50051' }), says: [] },
  {
    when: 'neither',
    object: aCatalog({}),
    says: ['error: image and address unset: at least one must be set for sourcetype: grpc'],
  },
  { when: 'a template that fills in the image', object: aCatalog({}, follows), says: [] },
  {
    when: 'a template, version unknown',
    object: aCatalog({}, follows),
    kubernetesVersion: null,
    says: [],
  },
  {
    when: 'a template that does not resolve',
    object: aCatalog({}, 'example.com/c:{foo}'),
    says: ['error: image and address unset'],
  },
  { when: 'a ConfigMap', object: aCatalog({ sourceType: 'configmap', configMap: 'm' }), says: [] },
  {
    when: 'no ConfigMap',
    object: aCatalog({ sourceType: 'internal' }),
    says: ['error: configmap name unset: must be set for sourcetype: internal'],
  },
  {
    when: 'an unknown type',
    object: aCatalog({ sourceType: 'ftp' }),
    says: ['error: unknown sourcetype: ftp'],
  },
]);
