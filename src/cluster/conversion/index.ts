export { type Answer, type ConversionRequest, type Convert, type Failure } from './review.js';
export { roundTrip, type RoundTripResult } from './round-trip.js';
