// URLs of protected resources, compared with the official functions.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as official from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import * as own from 'mcpbolt/shared/auth-utils.js';

test('a resource is the URL of the server without its fragment', () => {
  for (const url of ['https://example.com/mcp?a=1#here', new URL('https://example.com:8443/#x'), 'http://localhost']) {
    const made = own.resourceUrlFromServerUrl(url);
    assert.equal(made.href, official.resourceUrlFromServerUrl(url).href);
    assert.notEqual(made, url);
  }
});

test('a token is good below the resource it is for, and nowhere else', () => {
  const paths = ['', '/', '/api', '/api/', '/api/users', '/api123', '/apo'];
  const urls = ['https://example.com', 'https://example.com:8443', 'http://example.com', 'https://other.com'].flatMap((origin) => paths.map((path) => origin + path));
  for (const requestedResource of urls) {
    for (const configuredResource of urls) {
      const pair = { requestedResource, configuredResource };
      assert.equal(own.checkResourceAllowed(pair), official.checkResourceAllowed(pair), JSON.stringify(pair));
    }
  }
  assert.equal(own.checkResourceAllowed({ requestedResource: new URL(urls[2]), configuredResource: urls[3] }), false);
});
