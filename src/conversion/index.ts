export type { Clause, Fault } from './fault.js';
export type { Answer, Convert, Failure } from './review.js';
export { roundTrip, type RoundTripResult } from './round-trip.js';
