export function ensureInstalled(): void
export function ensureBuilt(): void
