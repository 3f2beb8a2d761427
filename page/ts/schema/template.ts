// URI templates (RFC 6570): which variables one has, and the URI that values make.
//
// Owns: the eight forms of an expression, for plain values. Must not know: forms.

const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;

const FORMS: Record<string, { first: string; between: string; named: boolean; reserved: boolean }> = {
  '': { first: '', between: ',', named: false, reserved: false },
  '+': { first: '', between: ',', named: false, reserved: true },
  '#': { first: '#', between: ',', named: false, reserved: true },
  '.': { first: '.', between: '.', named: false, reserved: false },
  '/': { first: '/', between: '/', named: false, reserved: false },
  ';': { first: ';', between: ';', named: true, reserved: false },
  '?': { first: '?', between: '&', named: true, reserved: false },
  '&': { first: '&', between: '&', named: true, reserved: false },
};

/** The names of the variables, each once. */
export function variables(template: string): string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap((match) => specs(match[2] ?? ''));
  return [...new Set(names.map((spec) => spec.name))];
}

/** The URI with these values; what has none is left out. */
export function expand(template: string, values: Record<string, unknown>): string {
  return template.replace(EXPRESSION, (_, operator: string, inside: string) => {
    const form = FORMS[operator] ?? FORMS['']!;
    const parts: string[] = [];
    for (const { name, prefix } of specs(inside)) {
      const value = values[name];
      if (value === undefined || value === '') continue;
      const words = String(value).slice(0, prefix);
      const encoded = form.reserved ? encodeURI(words) : encodeURIComponent(words).replace(/[!'()*]/g, escaped);
      parts.push(form.named ? `${name}=${encoded}` : encoded);
    }
    return parts.length === 0 ? '' : form.first + parts.join(form.between);
  });
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function specs(inside: string): { name: string; prefix: number | undefined }[] {
  return inside.split(',').map((spec) => {
    const [name = '', prefix] = spec.replace(/\*$/, '').split(':');
    return { name, prefix: prefix === undefined ? undefined : Number(prefix) };
  });
}
