/** Every run tries the same random cases, so that a red suite is a change's own doing; OLM_GUARD_SEED=2 tries others. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['OLM_GUARD_SEED'] ?? 1) });

// No rendering is taken from another run.
process.env['CI'] ??= 'true';
