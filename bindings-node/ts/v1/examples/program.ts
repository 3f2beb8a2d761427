/**
 * The example programs of the official 1.x package, which run when they are imported. Owns: what is
 * said instead. Must not know: what each of them did.
 */
throw new Error(
  'mcpbolt does not contain the example programs of @modelcontextprotocol/sdk. To run them, install that package under ' +
    'another name: npm install official@npm:@modelcontextprotocol/sdk. Those of mcpbolt are in examples/node of its repository',
);

export {};
