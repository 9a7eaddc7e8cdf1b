import { readCatalogSource } from '../../../objects/catalog-source.js';
import { objectAt, textAt } from '../../../../text/documents/fields.js';
import { parseDuration } from '../../../../text/go/index.js';
import { from } from '../../../../rule/index.js';
import { defineCatalogSourceRule } from '../rule.js';

export const catalogSourceRegistryPoll = defineCatalogSourceRule({
  id: 'CatalogSourceRegistryPoll',
  severity: 'error',
  checks:
    'The updateStrategy of a CatalogSource has a registryPoll with an interval that can be polled.',
  why: 'An updateStrategy without registryPoll makes OLM’s decoder read a nil pointer: the catalog operator crashes as often as it starts. An interval that is not a Go duration, or that never or always fires, is a warning.',
  otherwise:
    'panic: invalid memory address or nil pointer dereference (catalog-operator), or: error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead.',
  instead: 'Remove spec.updateStrategy, or set spec.updateStrategy.registryPoll.interval.',
  source: from.olmApi('pkg/operators/v1alpha1/catalogsource_types.go', 'UnmarshalJSON', 'Poll'),
  messages: {
    noRegistryPoll:
      "updateStrategy without registryPoll crashes OLM's catalog operator (nil pointer while decoding)",
    unreadable:
      'error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead. Error: {error}',
    everySync: 'registryPoll interval {interval} polls with every sync',
    noImage: 'registryPoll has no effect: only a grpc source with an image is polled',
    digest: 'registryPoll finds nothing new: the image is named by its digest',
  },
  example: {
    after:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1, updateStrategy: {} } }',
    says: "updateStrategy without registryPoll crashes OLM's catalog operator",
    accepted:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1, updateStrategy: { registryPoll: { interval: 30m } } } }',
  },
  *judge({ object }) {
    const strategy = objectAt(object, 'spec', 'updateStrategy');
    if (strategy === undefined) return;
    const path = '$.spec.updateStrategy';
    if (objectAt(strategy, 'registryPoll') === undefined) {
      yield {
        id: 'noRegistryPoll',
        path,
        fix: 'Remove spec.updateStrategy, or set spec.updateStrategy.registryPoll.interval.',
      };
      return;
    }
    const interval = textAt(strategy, 'registryPoll', 'interval') ?? '';
    const duration = parseDuration(interval);
    const { image, sourceType } = readCatalogSource(object);
    const beside = { severity: 'warning', path: `${path}.registryPoll.interval` } as const;
    if ('error' in duration) {
      yield { id: 'unreadable', data: { error: duration.error }, ...beside };
    } else if (duration.nanoseconds <= 0n) {
      yield { id: 'everySync', data: { interval }, ...beside };
    }
    if (image === '' || sourceType !== 'grpc') {
      yield { id: 'noImage', ...beside };
    } else if (image.includes('@')) {
      yield { id: 'digest', ...beside };
    }
  },
});
