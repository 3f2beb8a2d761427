// What the client with everything does with skills: it lists them, and loads one.
//
// A skill that is not what its entry says is left alone.

import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { SkillsClient, SkillVerificationError } from 'mcpbolt/v2/client/ext/skills';

/** Does what a scenario of the suites wants to see. @param {string} scenario @param {string} url */
export async function useSkills(scenario, url) {
  const client = new Client({ name: 'mcpbolt-everything-client', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const skills = new SkillsClient(client);
    const { skills: entries } = await skills.list();
    if (scenario.includes('verify')) await load(skills, entries[0]);
  } finally {
    await client.close();
  }
}

/** @param {SkillsClient} skills @param {import('mcpbolt/v2/client/ext/skills').Skill} skill */
async function load(skills, skill) {
  try {
    await skills.read(skill);
    for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources) await skills.read(skill, uri);
  } catch (error) {
    if (!(error instanceof SkillVerificationError)) throw error;
    console.error(`not loaded: ${error.message}`);
  }
}
