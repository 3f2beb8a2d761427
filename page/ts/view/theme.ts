// Dark or light: as the system has it, until a person chooses.
//
// Owns: the choice and where it is kept. Must not know: colours.

import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const KEPT = 'mcpbolt-theme';

export const theme = signal<Theme>(kept());

function kept(): Theme {
  const found = localStorage.getItem(KEPT);
  return found === 'light' || found === 'dark' ? found : 'system';
}

effect(() => {
  const chosen = theme.value;
  if (chosen === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, chosen);
  document.documentElement.dataset.theme = chosen;
});

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function turn(): void {
  theme.value = NEXT[theme.value];
}
