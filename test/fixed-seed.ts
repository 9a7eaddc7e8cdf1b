/**
 * Every run tries the same random cases, so that a red suite is a change's own doing;
 * `OLM_GUARD_SAMPLES` asks for more of them and for others each time.
 */
import fc from 'fast-check';

if (process.env['OLM_GUARD_SAMPLES'] === undefined) fc.configureGlobal({ seed: 1 });
