// A server for the weather of the United States, as their weather service tells it.
//
// Shows: the shortest way to a useful server. `--service` (or WEATHER_SERVICE) names another
// service of the same shape, such as weather-service.mjs, which needs no network.
//
//     node examples/node/weather-server.mjs
//     node examples/node/weather-server.mjs --http 127.0.0.1:3000 --service http://127.0.0.1:3001

import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';
import { text } from './common.mjs';
import { serve, serverArguments } from './serving.mjs';

const HEADERS = { 'User-Agent': 'mcpbolt-weather/1.0', Accept: 'application/geo+json' };
const READS = { readOnlyHint: true, openWorldHint: true };
/** How many periods of a forecast are told. */
const PERIODS = 5;
/** Longest wait for the service, in milliseconds. */
const PATIENCE = 30_000;

const { http, service = process.env.WEATHER_SERVICE ?? 'https://api.weather.gov' } = serverArguments({
  service: { type: 'string' },
});
const base = service.replace(/\/$/, '');

/** What the service answers; nothing if it cannot be reached or refuses. */
async function ask(url) {
  try {
    const response = await fetch(url, { headers: HEADERS, signal: AbortSignal.timeout(PATIENCE) });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** One alert in words. */
function described({ properties: about }) {
  return [
    `Event: ${about.event ?? 'unknown'}`,
    `Area: ${about.areaDesc ?? 'unknown'}`,
    `Severity: ${about.severity ?? 'unknown'}`,
    `What to do: ${about.instruction ?? 'nothing is said'}`,
  ].join('\n');
}

const mcp = new McpServer({ name: 'mcpbolt-weather', version: '1.0.0' });

mcp.registerTool(
  'get_alerts',
  {
    description: 'Weather alerts of a state of the United States.',
    inputSchema: { state: z.string().length(2).describe('Two letters, for example CA or NY') },
    annotations: READS,
  },
  async ({ state }) => {
    const found = await ask(`${base}/alerts/active/area/${state.toUpperCase()}`);
    if (found?.features === undefined) return text('The alerts cannot be fetched.');
    return text(found.features.map(described).join('\n---\n') || 'There are no alerts in this state.');
  },
);

mcp.registerTool(
  'get_forecast',
  {
    description: 'The forecast of a place in the United States.',
    inputSchema: {
      latitude: z.number().min(-90).max(90).describe('Degrees north'),
      longitude: z.number().min(-180).max(180).describe('Degrees east; negative in the west'),
    },
    annotations: READS,
  },
  async ({ latitude, longitude }) => {
    // First which office forecasts this place, then its forecast.
    const point = await ask(`${base}/points/${latitude},${longitude}`);
    if (point === undefined) return text('There is no forecast for this place.');
    const forecast = await ask(point.properties.forecast);
    if (forecast === undefined) return text('The forecast cannot be fetched.');
    const told = forecast.properties.periods.slice(0, PERIODS).map(
      (period) =>
        `${period.name}: ${period.temperature}°${period.temperatureUnit}, ` +
        `wind ${period.windSpeed} ${period.windDirection}. ${period.detailedForecast}`,
    );
    return text(told.join('\n---\n'));
  },
);

await serve(mcp, http);
