import { defineRule, type Finding, from } from '../../../rule/index.js';
import type { Catalog } from '../../catalogs/catalog.js';

export const catalogBlobSchema = defineRule({
  id: 'CatalogBlobSchema',
  family: 'catalogs',
  subject: 'catalog',
  severity: 'warning',
  checks:
    'every blob is as the schema of file-based catalogs has it: a property has a type and a value that is not null, a related image names an image, properties are a list, package is not empty, a deprecation has no name, and no key is spelt nearly as one that opm reads.',
  why: 'opm reads such a blob and drops or ignores what is wrong with it, so a property, an image or an update edge is missing on the cluster without a word.',
  otherwise: 'opm validate says nothing.',
  instead: 'Give each entry what the schema demands, or leave the entry out.',
  source: from.openShift('File-based catalogs'),
  messages: { named: '{schema} "{name}": {problem}', unnamed: '{schema}: {problem}' },
  example: {
    after: `
      schema: example.com.note
      package: queue
      properties:
        - type: ""
          value: null
    `,
    says: 'properties[0].type is empty',
    accepted: `
      schema: example.com.note
      package: queue
      properties:
        - type: example.com.size
          value: large
    `,
  },
});

export function blobSchemaFindings({ blobProblems = [] }: Catalog): Finding[] {
  return blobProblems.map(({ schema, name, problem, place }) => ({
    ...catalogBlobSchema.finding({
      id: name === '' ? 'unnamed' : 'named',
      data: { schema, name, problem },
    }),
    place,
  }));
}

export const catalogReservedSchema = defineRule({
  id: 'CatalogReservedSchema',
  family: 'catalogs',
  subject: 'catalog',
  severity: 'warning',
  checks: 'no blob of a schema of its own calls it olm.*, which is reserved for OLM.',
  why: 'OLM ignores a schema that it does not know, so a misspelt olm.bundle is not in the catalog at all, and a later OLM may give the name a meaning of its own.',
  otherwise: 'opm validate says nothing.',
  instead: 'Name the schema after a domain of yours, or write the schema of OLM that was meant.',
  source: from.openShift('File-based catalogs'),
  messages: {
    reserved: 'olm.* is reserved for OLM, which does not know "{schema}" and ignores the blob',
  },
  example: {
    after: `
      schema: olm.mine
      package: queue
    `,
    says: 'olm.* is reserved for OLM, which does not know "olm.mine"',
    accepted: `
      schema: example.com.mine
      package: queue
    `,
  },
});

export function reservedSchemaFindings({ others }: Catalog): Finding[] {
  return others
    .filter(({ schema }) => schema.startsWith('olm.'))
    .map(({ schema, place }) => ({
      ...catalogReservedSchema.finding({ id: 'reserved', data: { schema } }),
      place,
    }));
}
