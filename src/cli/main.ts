#!/usr/bin/env node
/** The program: what has to be set before the rest of it is loaded. */
import './compile-cache.js';
import { version } from '../text/package.js';

const [option, ...others] = process.argv.slice(2);
const isVersion = (option === '--version' || option === '-V') && others.length === 0;
// Nothing else needs to be loaded for it.
if (isVersion) process.stdout.on('error', () => undefined).write(`${version}\n`);
else void import('./command-line.js').then(({ startProgram }) => startProgram());
