export const SCHEMAS: Readonly<Record<string, string>> = {};
