// A stand-in for the weather service of the United States: a fixed table, no network.
//
// Not an MCP program. weather-server.mjs asks it when told to.
//
//     node examples/node/weather-service.mjs --http 127.0.0.1:3001

import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const ALERTS = {
  CA: [{ event: 'Heat Advisory', areaDesc: 'Sacramento Valley', severity: 'Moderate', instruction: 'Drink water.' }],
  NY: [],
};

// The day, degrees Fahrenheit, wind, from where, in words.
const DAYS = [
  ['Today', 71, '5 mph', 'NW', 'Sunny, with a few clouds.'],
  ['Tonight', 54, '2 mph', 'N', 'Clear.'],
  ['Tomorrow', 68, '10 mph', 'W', 'A chance of rain.'],
];

const periods = DAYS.map(([name, temperature, windSpeed, windDirection, detailedForecast]) => ({
  name,
  temperature,
  temperatureUnit: 'F',
  windSpeed,
  windDirection,
  detailedForecast,
}));

/** What the service says at a path; nothing where it has nothing to say. */
function answer(path, host) {
  const [, first, ...rest] = path.split('/');
  if (first === 'points') return { properties: { forecast: `http://${host}/forecast` } };
  if (first === 'forecast') return { properties: { periods } };
  const alerts = first === 'alerts' ? ALERTS[rest.at(-1)] : undefined;
  return alerts && { features: alerts.map((properties) => ({ properties })) };
}

const { values } = parseArgs({ options: { http: { type: 'string', default: '127.0.0.1:3001' } } });
const [host, port] = values.http.split(':');
const service = createServer((request, response) => {
  const said = answer(request.url, request.headers.host);
  response.writeHead(said ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(said ?? { title: 'Not Found' }));
});
service.listen(Number(port), host, () => console.error(`Serving the weather on http://${host}:${Object(service.address()).port}/`));
