export { keyOf, type Clause, type Fault } from './fault.js';
export {
  conversionReview,
  judgeAnswer,
  type Answer,
  type Asked,
  type Convert,
  type Failure,
} from './review.js';
export { convertedSides, roundTrip, type RoundTripResult } from './round-trip.js';
export { sampleFew } from './samples.js';
