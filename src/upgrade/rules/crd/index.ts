export { judgeByReference, referenceProfiles } from './profiles.js';
export type { ReferenceProfile } from './rule.js';
export type { Keys } from '../../crd/schema-keys.js';
