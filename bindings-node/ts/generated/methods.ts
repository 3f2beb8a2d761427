export const METHODS: Readonly<Record<string, string>> = {};
