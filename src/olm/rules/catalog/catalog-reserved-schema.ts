import type { Finding } from '../../../rule/index.js';
import type { Catalog } from '../../catalogs/catalog.js';
import { defineRule, from } from '../../../rule/index.js';

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
