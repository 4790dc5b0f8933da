export function ensureInstalled(): void
export function ensureBuilt(): void
export function ensureCliBuilt(): Promise<string>
