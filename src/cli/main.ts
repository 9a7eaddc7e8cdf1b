#!/usr/bin/env node
/** The program: what has to be set before the rest of it is loaded. */
import './compile-cache.js';

void import('./command-line.js').then(({ startProgram }) => startProgram());
