// Two new pairs of keys for the benchmark's issuer: the public ones as a key set, the private ones as PEM.
import { generateKeyPairSync } from 'node:crypto';

const KINDS = [
  ['ES256', 'ec', { namedCurve: 'P-256' }],
  ['RS256', 'rsa', { modulusLength: 2048 }],
];
const made = KINDS.map(([alg, kind, options]) => [alg, generateKeyPairSync(kind, options)]);
const keys = made.map(([alg, { publicKey }]) => ({ ...publicKey.export({ format: 'jwk' }), alg, kid: alg, use: 'sig' }));
const pems = made.map(([alg, { privateKey }]) => [alg, privateKey.export({ type: 'pkcs8', format: 'pem' })]);
console.log(JSON.stringify({ keys, ...Object.fromEntries(pems) }));
