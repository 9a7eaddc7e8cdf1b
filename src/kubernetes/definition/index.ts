/**
 * Whether API servers take a CustomResourceDefinition.
 *
 * - What comes in: the definition, the stored one where there is one, and minors of Kubernetes.
 * - What goes out: refusals with the field and type that a server gives them, and sizes.
 * - It does not know whether an upgrade breaks objects: that is `src/upgrade`.
 */
export {
  type CostBound,
  type CostEstimate,
  type CostExplanation,
  type CostPlace,
  costsOf,
} from './costs.js';
export { judgeDefinition, type Refusal } from './judge.js';
export {
  askedMinors,
  knownMinors,
  minorsByDefault,
  newestMinor,
  type TargetMinors,
} from './minors.js';
export { sizesOf, type Sizes } from './sizes.js';
