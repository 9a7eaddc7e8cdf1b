import { defineRule, from, sameInBothVersions } from '../../../rule/index.js';

export const converterFails = defineRule({
  id: 'ConverterFails',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'A conversion webhook that answers with an error, with nothing that can be read, too late, or only now and then.',
  why: 'Whatever an API server reads or writes in the other version fails with it: lists as a whole, for a single object that cannot be converted.',
  otherwise:
    'conversion webhook for example.com/v1, Kind=Widget failed: the server could not find the requested resource',
  instead:
    'Convert every object that the schema accepts, the empty one too; answer within a second, for all objects of a review.',
  source: from.apiextensions('pkg/apiserver/conversion/webhook_converter.go', 'Convert'),
  messages: {
    status:
      'the converter answers with an HTTP status that is no success from {from} to {to}{detail}',
    late: 'the converter does not answer in time from {from} to {to}{detail}',
    slow: 'the converter is slow from {from} to {to}: every read of a list waits for it{detail}',
    tooLarge: 'the converter answers with more than can be read from {from} to {to}{detail}',
    unreadable: 'the converter answers with no ConversionReview from {from} to {to}{detail}',
    intermittent: 'the converter fails now and then from {from} to {to}{detail}',
    refused: 'the converter refuses to convert from {from} to {to}{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `failure: { clause: status, reason: 'HTTP status 500' }`,
    says: 'answers with an HTTP status that is no success',
  },
});
