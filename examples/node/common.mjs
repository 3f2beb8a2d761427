// What servers and clients of the examples share: words in and out of content, and answers
// without a person.

/** The words of some content, one block per line. */
export function textOf(content) {
  return [content].flat().filter((block) => block.type === 'text').map((block) => block.text).join('\n');
}

/**
 * An answer of one text.
 *
 * @param {string} words
 * @returns {{ content: { type: 'text', text: string }[] }}
 */
export const text = (words) => ({ content: [{ type: 'text', text: words }] });

/** Something that fits each field of a form; its default where it has one. */
export function fillIn({ properties = {} }) {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default ?? fitting(field)]));
}

const TEXTS = {
  email: 'ada@example.com',
  uri: 'https://example.com/',
  date: '2026-07-28',
  'date-time': '2026-07-28T12:00:00Z',
};

function fitting(field) {
  switch (field.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return field.minimum ?? 1;
    case 'array':
      return [choice(field.items)];
    default:
      return choice(field) ?? TEXTS[field.format] ?? 'Ada';
  }
}

/** The first of the values there are to choose from. */
function choice(field) {
  return field.enum?.[0] ?? (field.oneOf ?? field.anyOf)?.[0]?.const;
}
