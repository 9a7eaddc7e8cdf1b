// A thread does not inherit tsx: the sources' worker needs it registered first.
import { register } from 'tsx/esm/api';

register();
await import('../../src/app/facts/catalog-sources/reading-worker.ts');
